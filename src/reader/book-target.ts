/** Converts a progression in an item to the renderer's fraction. */
type ToFraction = (progression: number) => number;

/**
 * A section, and the place in it, which a function may compute from the loaded document of the
 * section.
 */
export type BookTarget = {
  index: number;
  anchor: Foliate.Anchor | ((doc: Document, toFraction: ToFraction) => Foliate.Anchor);
};
