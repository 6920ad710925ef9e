/** One measured figure. `limit` is the most it may be, `least` the least; `others` is what our earlier measurement of other shops gave. */
export type Row = { name: string; value: number; unit: string; limit?: number; least?: number; others?: string };

export function missed(row: Row): boolean {
  if (row.least !== undefined && !(row.value >= row.least)) return true;
  return row.limit !== undefined && !(row.value <= row.limit);
}

function shown(value: number): string {
  return value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);
}

function cells(row: Row): string[] {
  const least = row.least === undefined ? '' : `at least ${row.least} ${row.unit}`;
  const limit = row.limit === undefined ? least : `${row.limit} ${row.unit}`;
  return [row.name, `${shown(row.value)} ${row.unit}`, limit, missed(row) ? 'MISSED' : '', row.others ?? ''];
}

/** Lines of cells, each column as wide as its widest cell. */
export function aligned(lines: readonly (readonly string[])[]): string {
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

/** The rows as an aligned table. */
export const table = (rows: readonly Row[]): string =>
  aligned([['', 'measured', 'limit', '', 'other shops *'], ...rows.map(cells)]);

/** The middle of some measurements, so that one disturbed run decides nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
