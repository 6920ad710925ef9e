/** A row of the specification: one property of the shop. */
export type SpecRow = {
  /** `S`, the section and the subject: `S2./signin`. */
  id: string;
  says: string;
  /** The machine that implements the row, if no state or transition of it names the row. */
  of?: string;
  /** The source that implements the row, if no machine, route or call does. */
  place?: string;
  /** The flow that will implement it; until then, no test or machine may name the row. */
  waiting?: string;
};
