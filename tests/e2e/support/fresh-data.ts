const variable = 'COLOPHON_FRESH_DATA';

/** The data folder of a shop that was started once and never used; every test's shop begins with a copy. */
export function freshData(): string {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error(`${variable} is set by the global set-up`);
  return folder;
}

export function announceFreshData(folder: string): void {
  process.env[variable] = folder;
}
