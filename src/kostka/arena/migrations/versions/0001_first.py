"""The first schema: runs, agents, matches, games and seats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agents",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("parameters", sa.JSON(), nullable=False),
        sa.Column("learns", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_agents"),
        sa.UniqueConstraint("game", "spec", name="uq_agents_game"),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("engine", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("started", sa.Text(), nullable=False),
        sa.Column("finished", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
        sa.UniqueConstraint("name", name="uq_runs_name"),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("agents", sa.JSON(), nullable=False),
        sa.Column("seatings", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["run"], ["runs.id"], name="fk_matches_run"),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.UniqueConstraint("run", "number", name="uq_matches_run"),
    )
    op.create_table(
        "games",
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("memory", sa.BigInteger()),
        sa.Column("moves", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_games_match"),
        sa.PrimaryKeyConstraint("match", "number", name="pk_games"),
    )
    op.create_table(
        "seats",
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("agent", sa.Integer(), nullable=False),
        sa.Column("gain", sa.Float(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("place", sa.Float(), nullable=False),
        sa.Column("thought", sa.JSON()),
        sa.Column("fault", sa.Text()),
        sa.Column("learnt", sa.LargeBinary()),
        sa.ForeignKeyConstraint(["agent"], ["agents.id"], name="fk_seats_agent"),
        sa.ForeignKeyConstraint(
            ["match", "number"], ["games.match", "games.number"], name="fk_seats_match"
        ),
        sa.PrimaryKeyConstraint("match", "number", "seat", name="pk_seats"),
    )
