/** The store that a call or a page is about. `version` is raised by every change of what it lists. */
export type Store = { id: string; currency: string; appId: string; version: number };
