/**
 * Whether a property may stand on an element. Stands in for `@emotion/is-prop-valid`, whose list of every attribute weighs
 * 2 KB: types already keep anything else from our elements. `as` names the element itself.
 */
const isPropValid = (name: string): boolean => name !== 'as';

// The package that this replaces has a default export.
// oxlint-disable-next-line import/no-default-export
export default isPropValid;
