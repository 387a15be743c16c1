"""The course's kb agents of 2021: they attack as sdc or stei do, and transfer dice."""

from kostka.agents.base import Kind
from kostka.agents.dicewars.published.turecek import reference

KINDS = {
    "sdc-pre-at": Kind("inner dice go to the border, then sdc", reference("sdc-pre-at")),
    "sdc-post-dt": Kind("sdc, then exposed dice go back", reference("sdc-post-dt")),
    "stei-at": Kind("inner dice go to the border all along, stei", reference("stei-at")),
    "stei-dt": Kind("stei, then exposed dice go back", reference("stei-dt")),
    "stei-adt": Kind("up to four transfers to the border, stei, then back", reference("stei-adt")),
}
