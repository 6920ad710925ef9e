const formatRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Formats a Markdown table. */
export const formatTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [formatRow(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(formatRow)].join('\n');
