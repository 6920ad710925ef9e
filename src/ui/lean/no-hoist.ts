/** Statics of wrapped class components, which the shop has none of: stands in for `hoist-non-react-statics` (1 KB). */
const keepTarget = <Target>(target: Target): Target => target;

// The package that this replaces has a default export.
// oxlint-disable-next-line import/no-default-export
export default keepTarget;
