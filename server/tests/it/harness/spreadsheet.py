"""Writes a spreadsheet to the standard output. The argument names the program, the standard input has its rows as JSON.

A cell is a text, a number, a boolean, null, or a list of a kind and a value."""

import datetime
import io
import json
import sys

FORMATS = {"percent": "0.0%", "date": "yyyy-mm-dd", "moment": "dd.mm.yyyy hh:mm", "time": "h:mm AM/PM"}


def parsed(kind, value):
    if kind == "date":
        return datetime.date.fromisoformat(value)
    if kind == "moment":
        return datetime.datetime.fromisoformat(value)
    if kind == "time":
        return datetime.time.fromisoformat(value)
    return value


def cells(rows):
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell is not None:
                kind, value = cell if isinstance(cell, list) else ("plain", cell)
                yield number, column, kind, parsed(kind, value)


def openpyxl(rows, is_1904):
    import openpyxl
    from openpyxl.cell.rich_text import CellRichText, TextBlock
    from openpyxl.cell.text import InlineFont
    from openpyxl.utils.datetime import CALENDAR_MAC_1904

    book = openpyxl.Workbook()
    if is_1904:
        book.epoch = CALENDAR_MAC_1904
    book.active.title = "Hidden"
    book.active.sheet_state = "hidden"
    book.active.append(["name", "description"])
    book.active.append(["Wrong", "wrong"])
    sheet = book.create_sheet("Lots")
    book.active = 1
    for number, column, kind, value in cells(rows):
        cell = sheet.cell(number + 1, column + 1)
        if kind == "rich":
            value = CellRichText(value[:3], TextBlock(InlineFont(b=True), value[3:]))
        elif kind == "formula":
            value = value[0]
        cell.value = value
        if kind == "plain" and isinstance(value, str):
            cell.data_type = "s"
        if kind in FORMATS:
            cell.number_format = FORMATS[kind]
    sheet.row_dimensions[3].hidden = True
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def xlsxwriter(rows, is_1904):
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"date_1904": is_1904})
    hidden = book.add_worksheet("Hidden")
    hidden.write_row(0, 0, ["name", "description"])
    hidden.hide()
    sheet = book.add_worksheet("Lots")
    sheet.activate()
    formats = {kind: book.add_format({"num_format": code}) for kind, code in FORMATS.items()}
    bold = book.add_format({"bold": True})
    for number, column, kind, value in cells(rows):
        if kind == "rich":
            sheet.write_rich_string(number, column, value[:3], bold, value[3:])
        elif kind == "formula":
            sheet.write_formula(number, column, value[0], None, value[1])
        elif kind in ("date", "moment", "time"):
            sheet.write_datetime(number, column, value, formats[kind])
        elif isinstance(value, bool):
            sheet.write_boolean(number, column, value)
        elif isinstance(value, str):
            sheet.write_string(number, column, value)
        else:
            sheet.write_number(number, column, value, formats.get(kind))
    sheet.set_row(2, None, None, {"hidden": True})
    book.close()
    return out.getvalue()


def odfdo(rows, is_1904):
    import odfdo

    document = odfdo.Document("spreadsheet")
    document.body.clear()
    table = odfdo.Table("Lots")
    for number, column, kind, value in cells(rows):
        if kind == "time":
            value = datetime.timedelta(hours=value.hour, minutes=value.minute)
        if kind == "formula":
            cell = odfdo.Cell(value[1], formula="of:" + value[0])
        elif kind == "percent":
            cell = odfdo.Cell(value, cell_type="percentage")
        else:
            cell = odfdo.Cell(value)
        table.set_cell((column, number), cell)
    document.body.append(table)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def two_sheets_xlsx(tables, is_1904):
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in tables:
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def two_sheets_ods(tables, is_1904):
    import odfdo

    document = odfdo.Document("spreadsheet")
    document.body.clear()
    for name, rows in tables:
        table = odfdo.Table(name)
        for number, column, _, value in cells(rows):
            table.set_cell((column, number), odfdo.Cell(value))
        document.body.append(table)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


PROGRAMS = {
    "two-sheets-xlsx": two_sheets_xlsx,
    "two-sheets-ods": two_sheets_ods,
    "openpyxl": openpyxl,
    "xlsxwriter": xlsxwriter,
    "odfdo": odfdo,
}
name, _, option = sys.argv[1].partition(" ")
sys.stdout.buffer.write(PROGRAMS[name](json.load(sys.stdin), option == "1904"))
