"""The palettes of PuzzleScript: 21 colour names in 14 ways (data of the original engine, MIT licence)."""

from __future__ import annotations

_NAMES = """mastersystem gameboycolour amiga arnecolors famicom atari pastel ega amstrad proteus_mellow
    proteus_rich proteus_night c64 whitingjp""".split()  # noqa: SIM905
_TABLE = """
black      000000 000000 000000 000000 000000 000000 000000 000000 000000 3d2d2e 6f686f 010912 000000 202527
white      ffffff ffffff ffffff ffffff ffffff ffffff ffffff ffffff ffffff ddf1fc d1b1e2 fdeeec ffffff eff8fd
grey       555555 7f7f7c bbbbbb 9d9d9d 7c7c7c 909090 3e3e3e 555555 7f7f7f 9fb2d4 b9aac1 051d40 6c6c6c 7b7680
darkgrey   555500 3e3e44 333333 697175 080808 404040 313131 555555 636363 7b8272 8e8b84 091842 444444 3c3b44
lightgrey  aaaaaa baa7a7 ffeedd cccccc bcbcbc b0b0b0 9cbcbc aaaaaa afafaf a4bfda c7b5cd 062151 959595 bed0d7
red        ff0000 a7120c dd1111 be2633 f83800 a03c50 f56ca2 ff5555 ff0000 9d5443 a11f4f ad4576 68372b bd194b
darkred    aa0000 880606 990000 732930 881400 700014 a63577 aa0000 7f0000 8c5b4a 934765 934765 3f1e17 6b1334
lightred   ff5555 ba381f ff4422 e06f8b f87858 dc849c ffa9cf ff55ff ff7f7f 94614c c998ad ab6290 9a6759 ef2358
brown      aa5500 57381f 663311 a46422 ac7c00 805020 b58c53 aa5500 ff7f00 89a78d 89867d 61646b 433900 b52e1c
darkbrown  550000 3e2519 331100 493c2b 503000 703400 787562 aa5500 7f7f00 829e88 797f75 3d2d2d 221c02 681c12
lightbrown ffaa00 8e634b aa6644 eeb62f fce0a8 cb9870 b58c53 ffff55 ffff00 aaae97 ab9997 8393a0 6d5c0d e87b45
orange     ff5500 ba4b32 ff6644 eb8931 fca044 ccac70 eb792d ff5555 ff007f d1ba86 ce8c5c 0a2227 6f4f25 ff8c10
yellow     ffff55 c0ba6f ffdd66 f7e26b f8b800 ecd09c ffe15f ffff55 ffff7f d6cda2 f0d959 0a2541 b8c76f fbd524
green      55aa00 517525 448811 44891a 00b800 58b06c 00ff4f 00aa00 01ff00 75ac8d 75bc54 75ac8d 588d43 36bc3c
darkgreen  005500 385d12 335500 2f484e 005800 006414 2b732c 00aaaa 007f00 8fa67f 599d79 0a2434 345129 317610
lightgreen aaff00 6f8e44 88bb77 a3ce27 b8f8b8 70c484 97c04f 55ff55 7fff7f 8eb682 90cf5c 061f2e 9ad284 8ce062
blue       5555aa 5d6fa7 8899dd 1d57f7 0058f8 1c3c88 0f88d3 5555ff 0000ff 88a3ce 8fd0ec 0b2c79 6c5eb5 3f62c6
lightblue  aaffff 8ea7a7 bbddee b2dcef 3cbcfc 6888c8 00fffe 55ffff 7f7fff a5adb0 bcdce7 809ccb 70a4b2 57bbe0
darkblue   000055 4b575d 666688 1b2632 0000bc 000088 293a7b 0000aa 00007f 5c6b8c 0b2c70 08153b 352879 2c2fa0
purple     550055 3e3e44 665555 342a97 6644fc 3c0080 ff6554 aa00aa 7f007f d39fac 9b377f 666a87 6f3d86 7037d9
pink       ffaaff ba381f 997788 de65e2 f878f8 b484dc eb792d ff55ff ff7fff c8ac9e cd88e5 754b4d b044ac ec2b8f
"""
_COLOURS = {name: values for name, *values in map(str.split, _TABLE.strip().split("\n"))}

PALETTES = {
    key: {colour: f"#{values[number]}" for colour, values in _COLOURS.items()}
    for number, name in enumerate(_NAMES)
    for key in (name, str(number + 1))
}
COLOUR_NAMES = (
    "transparent",
    *_COLOURS,
    *(name.replace("grey", "gray") for name in _COLOURS if "grey" in name),
)


def long_colours(colours: list[str], palette: str) -> list[str]:
    """Returns colours as `#rrggbb` or `transparent`; pink for an object that has none."""
    known = PALETTES.get(palette.lower(), PALETTES["arnecolors"])
    found = [known.get(colour.replace("gray", "grey"), colour) for colour in colours]
    return ["#" + "".join(2 * c for c in one[1:]) if len(one) == 4 else one for one in found] or ["#ff00ff"]
