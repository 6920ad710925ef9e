/**
 * A measured value with its bounds: `limit` is the maximum, `min` the minimum. `others`: the value
 * of other shops in our earlier measurement.
 */
export type Row = { name: string; value: number; unit: string; limit?: number; min?: number; others?: string };

export function isMissed(row: Row): boolean {
  if (row.min !== undefined && !(row.value >= row.min)) return true;
  return row.limit !== undefined && !(row.value <= row.limit);
}

function formatValue(value: number): string {
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);
}

function toCells(row: Row): string[] {
  const minText = row.min === undefined ? '' : `at least ${row.min} ${row.unit}`;
  const limitText = row.limit === undefined ? minText : `${row.limit} ${row.unit}`;
  return [row.name, `${formatValue(row.value)} ${row.unit}`, limitText, isMissed(row) ? 'MISSED' : '', row.others ?? ''];
}

/** Aligns the cells of lines: each column is as wide as its widest cell. */
export function alignColumns(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats the rows as an aligned table. */
export const formatTable = (rows: readonly Row[]): string =>
  alignColumns([['', 'measured', 'limit', '', 'other shops *'], ...rows.map(toCells)]);

/** The median, so that one disturbed run does not change the result. */
export function computeMedian(values: readonly number[]): number {
  const sortedValues = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sortedValues.length / 2);
  const upperMiddle = sortedValues[middle] ?? Number.NaN;
  return sortedValues.length % 2 === 1 ? upperMiddle : ((sortedValues[middle - 1] ?? Number.NaN) + upperMiddle) / 2;
}
