/** Converts a share of an item to the renderer's fraction. */
type FractionOf = (progression: number) => number;

/**
 * A section, and the place in it; a function gets the section's document and the renderer that has
 * loaded it.
 */
export type BookTarget = {
  index: number;
  anchor: Foliate.Anchor | ((doc: Document, fractionOf: FractionOf) => Foliate.Anchor);
};
