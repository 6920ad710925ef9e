/** A row of the specification: one property of the shop. */
export type SpecRow = {
  /** `S`, the section and the subject: `S2./signin`. */
  id: string;
  text: string;
  /** The machine that implements the row, if no state or transition of it names the row. */
  machine?: string;
  /** The source that implements the row, if no machine, route or call does. */
  source?: string;
  /** The flow that will implement it; until then, no test or machine may name the row. */
  waiting?: string;
};
