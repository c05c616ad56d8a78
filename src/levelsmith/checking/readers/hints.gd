# Hint tables of levelsmith: load_file(path)[name].best(rows) is a move, "lost", "won", or "".
class_name Hints

var letters: String
var seed_number: int
var data: PackedByteArray

static func load_file(path: String) -> Dictionary:
	var found := {}
	for level in JSON.parse_string(FileAccess.get_file_as_string(path))["levels"]:
		var hints := Hints.new()
		hints.letters = level["letters"]
		hints.seed_number = int(level["seed"])
		hints.data = Marshalls.base64_to_raw(level["table"])
		found[level["name"]] = hints
	return found

func best(rows: String) -> String:  # a symbol a cell, rows joined by line feeds
	var number := 2166136261 ^ seed_number
	for byte in rows.to_utf8_buffer():
		number = ((number ^ byte) * 16777619) & 0xFFFFFFFF
	var low := 0
	var high := data.size() / 5
	while low < high:
		var middle := (low + high) / 2
		if _number(middle) < number: low = middle + 1
		else: high = middle
	if 5 * low >= data.size() or _number(low) != number: return ""
	var move := data[5 * low + 4]
	return "lost" if move == 255 else "won" if move == 254 else letters[move]

func _number(at: int) -> int:
	return data[5 * at] << 24 | data[5 * at + 1] << 16 | data[5 * at + 2] << 8 | data[5 * at + 3]
