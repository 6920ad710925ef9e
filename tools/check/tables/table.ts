const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Formats a Markdown table. */
export const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(row)].join('\n');
