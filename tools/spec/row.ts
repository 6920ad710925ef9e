/** A row of the specification: something that the shop is or does. */
export type SpecRow = {
  /** `S` and the section, then what the row is about: `S2./signin`. */
  id: string;
  says: string;
  /** The machine that carries the row, where no state or transition of it names the row. */
  of?: string;
  /** The source that fulfils the row, where no machine, route or call of it does. */
  place?: string;
  /** The flow that will build it; nothing may name the row until then. */
  waiting?: string;
};
