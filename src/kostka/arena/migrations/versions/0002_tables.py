"""Tables where people play: tables, moves and chat."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("casual", sa.Boolean(), nullable=False),
        sa.Column("clock", sa.Float()),
        sa.Column("seats", sa.JSON(), nullable=False),
        sa.Column("host", sa.Integer()),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("result", sa.JSON()),
        sa.Column("next", sa.Text()),
        sa.Column("opened", sa.Text(), nullable=False),
        sa.Column("finished", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_status", "tables", ["status"])
    op.create_table(
        "moves",
        sa.Column("table", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("codes", sa.LargeBinary(), nullable=False),
        sa.Column("considered", sa.JSON()),
        sa.Column("note", sa.Text()),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_moves_table"),
        sa.PrimaryKeyConstraint("table", "number", name="pk_moves"),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table", sa.Text(), nullable=False),
        sa.Column("by", sa.Integer()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table"], ["tables.id"], name="fk_chat_table"),
        sa.PrimaryKeyConstraint("id", name="pk_chat"),
    )
    op.create_index("ix_chat_table", "chat", ["table"])
