"""Units of measure: what they are called in both languages, of which kind they are, and how one becomes another of its kind.

A kind has one base unit; `factor` times a value (plus `offset`, for temperatures) is the value in the base unit. Bytes count in steps of 1024,
currencies are kinds of their own (there is no exchange).
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit; `name` is how values are kept and shown."""

    name: str
    kind: str
    factor: Decimal
    offset: Decimal
    spellings: tuple[str, ...]


BINARY_KINDS = frozenset({"data", "tokens"})
"""Kinds in which K, M, G and T count in steps of 1024: 128K tokens are 131,072."""

_TABLE: Mapping[str, str] = MappingProxyType(
    {
        "time": "ms=0.001 millisecond milliseconds msec 毫秒|s=1 sec secs second seconds 秒 秒钟|min=60 mins minute minutes 分钟 分|"
        "h=3600 hr hrs hour hours 小时 个小时 钟头|d=86400 day days 天 日 工作日 个工作日|week=604800 weeks wk 周 个星期 星期",
        "calendar": "month=1 months 个月 月|year=12 years yr yrs 年 个年头",
        "data": "bit=0.125 bits 比特|B=1 byte bytes 字节|kB=1024 KB KiB kilobyte kilobytes|MB=1048576 MiB megabyte megabytes 兆 兆字节|"
        "GB=1073741824 GiB gigabyte gigabytes 吉字节|TB=1099511627776 TiB terabyte terabytes 太字节",
        "tokens": "tokens=1 token tok 词元 令牌 个token 个tokens 个词元",
        "parameters": "parameters=1 parameter params param 参数 个参数",
        "length": "μm=0.000001 um µm micron microns 微米|mm=0.001 millimetre millimetres millimeter millimeters 毫米|"
        "cm=0.01 centimetre centimetres centimeter centimeters 厘米 公分|m=1 metre metres meter meters 米 公尺|"
        "km=1000 kilometre kilometres kilometer kilometers 公里 千米|inch=0.0254 in inches 英寸|ft=0.3048 foot feet 英尺",
        "mass": "mg=0.000001 milligram milligrams 毫克|g=0.001 gram grams 克|kg=1 kilo kilos kilogram kilograms 公斤 千克|"
        "t=1000 ton tons tonne tonnes 吨 公吨|lb=0.45359237 lbs pound pounds 磅",
        "temperature": "℃=1 °C C celsius 摄氏度 度|℉=0.5555555555555555555555555556 °F F fahrenheit 华氏度|K=1 kelvin 开尔文",
        "ratio": "%=1 percent per%cent 百分之|‰=0.1 permille 千分之",
        "points": "points=1 point pt pts pp 分 个百分点 百分点",
        "area": "mm²=0.000001 平方毫米|cm²=0.0001 平方厘米|m²=1 sqm 平方米 平米|ha=10000 hectare hectares 公顷|km²=1000000 平方公里",
        "volume": "ml=0.001 mL millilitre millilitres 毫升|l=1 L litre litres liter liters 升|m³=1000 立方米",
        "flow": "l/min=0.06|l/h=0.001|m³/h=1|m³/s=3600",
        "pressure": "Pa=1 帕|kPa=1000 千帕|mbar=100 毫巴|bar=100000 巴|MPa=1000000 兆帕|psi=6894.757293168",
        "power": "W=1 watt watts 瓦|kW=1000 kilowatt kilowatts 千瓦|MW=1000000 megawatt megawatts 兆瓦|hp=745.69987158227022 马力",
        "energy": "Wh=1|kWh=1000 度电 千瓦时|MWh=1000000 兆瓦时",
        "voltage": "mV=0.001 毫伏|V=1 volt volts 伏|kV=1000 千伏",
        "current": "mA=0.001 毫安|A=1 ampere amperes amp amps 安",
        "frequency": "Hz=1 赫兹|kHz=1000 千赫|MHz=1000000 兆赫|GHz=1000000000 吉赫",
        "speed": "m/s=1 米/秒|km/h=0.2777777777777777777777777778 kph 公里/小时",
        "torque": "N·m=1 Nm 牛米",
        "sound": "dB=1 dB(A) 分贝",
        "CNY": "CNY=1 RMB ¥ 元 人民币 块 yuan renminbi",
        "EUR": "EUR=1 € euro euros 欧元",
        "USD": "USD=1 $ US$ dollar dollars 美元",
        "GBP": "GBP=1 £ 英镑",
        "HKD": "HKD=1 HK$ 港元 港币",
        "JPY": "JPY=1 yen 日元",
        "people": "people=1 person persons employees staff 人 名 位 名员工",
    }
)
_OFFSETS = {"℉": Decimal("-17.77777777777777777777777778"), "K": Decimal("-273.15")}


def plain(written: str) -> str:
    """The form in which spellings are compared: compatible characters, no white space. Case stays: MB is not mb."""
    return "".join(unicodedata.normalize("NFKC", written).replace("μ", "μ").split())


def _units() -> dict[str, Unit]:
    made = {}
    for kind, line in _TABLE.items():
        for part in line.split("|"):
            head, *spellings = part.split(" ")
            name, factor = head.rsplit("=", 1)
            words = tuple(plain(each.replace("per%cent", "per cent")) for each in (name, *spellings))
            made[name] = Unit(name, kind, Decimal(factor), _OFFSETS.get(name, Decimal(0)), words)
    return made


UNITS: Mapping[str, Unit] = MappingProxyType(_units())
UNIT_NAMES = tuple(UNITS)


def unit_named(written: str, kind: str = "") -> Unit | None:
    """The unit of this spelling: as it is written, else whatever its case where that leaves one. `kind` looks among its units alone."""
    spelling = plain(written)
    exact = [each for each in of_kind(kind) if spelling in each.spellings]
    if exact:
        return exact[0]
    folded = spelling.casefold()
    close = [each for each in of_kind(kind) if folded in (word.casefold() for word in each.spellings)]
    return close[0] if len(close) == 1 else None


@lru_cache(maxsize=64)
def of_kind(kind: str) -> tuple[Unit, ...]:
    """The units of a kind; all of them without one."""
    return tuple(each for each in UNITS.values() if not kind or each.kind == kind)


def converted(value: Decimal, unit: Unit, wanted: Unit) -> Decimal:
    """The same amount in another unit of the kind."""
    if unit.name == wanted.name:
        return value
    return (value * unit.factor + unit.offset - wanted.offset) / wanted.factor
