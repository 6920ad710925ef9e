/** The renderer's fraction for a share of an item. */
type FractionOf = (progression: number) => number;

/** A section, and where in it; a function gets its document and the renderer that has loaded it. */
export type BookTarget = {
  index: number;
  anchor: Foliate.Anchor | ((doc: Document, fractionOf: FractionOf) => Foliate.Anchor);
};
