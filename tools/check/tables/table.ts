const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table in Markdown. */
export const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(row)].join('\n');
