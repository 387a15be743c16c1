"""What a position of The Discovery is. Regions never change: a new tile's swallow those it meets.

A *segment* is a region of one tile; connected segments are a *region*. Each segment is a region of
its own when it is laid, and points to the one that swallowed it. A *cell* is a slot of a list, in
the order in which cells first touched a tile, so that codes stay small on a board without bounds.
"""

from kostka.core.record import ANY_SET, record, within
from kostka.games.carcassonne.tileset import (
    MAX_CITIES,
    MAX_ID,
    MAX_MEADOWS,
    MAX_NAME,
    MAX_REGIONS,
    MAX_SEGMENTS,
    MAX_TILES,
    MAX_TOWNS,
)

MAX_PLAYERS = 5
FOLLOWERS = 4  # of each player

#: Cells that ever touched a tile: five at the start, and at most three more with every tile.
MAX_CELLS = 256
#: Places of the table that finds a cell by its coordinates.
TABLE = 512
#: The start is at REACH, REACH; no tile and no cell beside one is farther off than that.
REACH = MAX_TILES + 1
WIDTH = 2 * REACH

#: The numbers of the terrains of a tile set.
MOUNTAIN, GRASSLAND, SEA = range(3)

DRAW, PLACE, FOLLOW, DONE = range(4)
PHASES = ("draw", "place", "follow", "over")

#: How what is left at the end counts.
OPEN_END, AS_IS, CLOSED_END = range(3)
ENDS = ("open", "as-is", "closed")

NONE = -1

State = record(
    "carcassonne.state",
    # --- regions, by number; what is swallowed stays as it was then ---
    tiles=within(0, ANY_SET, "u8", (MAX_REGIONS, 2)),  # on which tiles it lies
    # Of a mountain: the meadows beside it, those segments of grassland that touch a mountain.
    touching=within(0, ANY_SET, "u8", (MAX_REGIONS, 2)),
    cities=within(0, ANY_SET, "u8", MAX_REGIONS),
    parent=within(0, MAX_REGIONS - 1, "i2", MAX_REGIONS),  # who swallowed it, or itself
    area=within(0, MAX_TILES, "i2", MAX_REGIONS),  # tiles in number
    open=within(0, 4 * MAX_TILES, "i2", MAX_REGIONS),  # sides that face an empty cell
    meadow=within(0, MAX_REGIONS - 1, "i2", MAX_MEADOWS),  # the region each meadow began as
    # --- cells, by slot ---
    # Of an empty cell: the region that looks at it from each side.
    facing=within(NONE, MAX_REGIONS - 1, "i2", (MAX_CELLS, 4)),
    needs=within(0, 255, "i2", MAX_CELLS),  # two bits a side: 1 + the terrain there; 0: any
    first=within(NONE, MAX_REGIONS - 1, "i2", MAX_CELLS),  # the first region of the tile there
    cell=within(0, WIDTH * WIDTH - 1, "i2", MAX_CELLS),  # coordinates: WIDTH * y + x, from REACH
    table=within(0, MAX_CELLS, "i2", TABLE),  # open addressing; 0: nothing, n: slot n - 1
    border=within(0, MAX_CELLS - 1, "i2", MAX_CELLS),  # the empty cells, in no order
    border_place=within(0, MAX_CELLS - 1, "i2", MAX_CELLS),  # where a cell is in the border
    # --- players ---
    points=within(0, 32_000, "i2", MAX_PLAYERS),
    standing=within(NONE, MAX_REGIONS - 1, "i2", (MAX_PLAYERS, FOLLOWERS)),  # put on this region
    # --- the turn ---
    phase=within(DRAW, DONE, "i2"),
    player=within(0, MAX_PLAYERS - 1, "i2"),
    tile=within(NONE, MAX_TILES - 1, "i2"),  # the kind of tile in hand
    last=within(0, MAX_CELLS - 1, "i2"),  # the cell of the tile laid last
    unfit=within(NONE, MAX_TILES - 1, "i2"),  # the kind last discarded in this turn
    unfits=within(0, MAX_TILES, "i2"),  # how many were discarded in this turn
    discarded=within(0, MAX_TILES, "i2"),  # and in the whole game
    # --- how many of each there are ---
    slots=within(0, MAX_CELLS, "i2"),
    empty=within(0, MAX_CELLS, "i2"),  # cells of the border
    regions=within(0, MAX_REGIONS, "i2"),
    meadows=within(0, MAX_MEADOWS, "i2"),
    towns=within(0, MAX_CITIES, "i2"),
    laid=within(0, MAX_TILES, "i2"),  # tiles on the board
    left=within(0, MAX_TILES, "i2"),  # tiles in the bag
    pad=within(0, 0, "i1", 6),  # records have no gaps
    kind=within(MOUNTAIN, SEA, "i1", MAX_REGIONS),
    men=within(0, MAX_PLAYERS * FOLLOWERS, "i1", MAX_REGIONS),  # followers of anybody on a region
    type_at=within(0, MAX_TILES - 1, "i1", MAX_CELLS),
    turned=within(0, 3, "i1", MAX_CELLS),  # quarter turns clockwise of the tile there
    bag=within(0, MAX_TILES, "i1", MAX_TILES),
    fixed=dict(
        # --- the tile set, by kind of tile; sides are north, east, south and west ---
        edges=within(0, 255, "i2", (MAX_TILES, 4)),  # terrains as in ``needs``, by rotation
        beside=within(0, (1 << MAX_SEGMENTS) - 1, "i2", (MAX_TILES, MAX_SEGMENTS)),
        # Of a segment of grassland: the mountain segments beside it.
        peaks=within(0, (1 << MAX_SEGMENTS) - 1, "i2", (MAX_TILES, MAX_SEGMENTS)),
        players=within(2, MAX_PLAYERS, "i2"),
        types=within(1, MAX_TILES, "i2"),
        start=within(0, MAX_TILES - 1, "i2"),  # the kind of the start tile
        small_closed=within(0, 1, "i2"),  # whether one or two tiles can count as closed
        end_rule=within(OPEN_END, CLOSED_END, "i2"),
        give_back=within(0, 1, "i2"),  # whether a tile that fits nowhere goes back into the bag
        equal=within(0, 1, "i2"),  # whether everybody has the same number of turns
        spare=within(0, 0, "i2"),
        count=within(0, MAX_TILES, "i1", MAX_TILES),
        segments=within(0, MAX_SEGMENTS, "i1", MAX_TILES),
        period=within(0, 4, "i1", MAX_TILES),  # rotations that look different
        reconstructed=within(0, 1, "i1", MAX_TILES),  # 1: the set says that it is no known fact
        side=within(0, MAX_SEGMENTS - 1, "i1", (MAX_TILES, 4)),  # the segment on each side
        terrain=within(0, SEA, "i1", (MAX_TILES, MAX_SEGMENTS)),
        # Cities, each between two segments: one + MAX_SEGMENTS * the other; -1: none.
        city=within(NONE, MAX_SEGMENTS * MAX_SEGMENTS - 1, "i1", (MAX_TILES, MAX_TOWNS)),
        id=within(0, 127, "i1", (MAX_TILES, MAX_ID)),  # letters by their codes, then zeros
        name=within(0, 127, "i1", MAX_NAME),  # of the set
    ),
)
