import { addressRows } from './addresses.ts';
import { callRows } from './calls.ts';
import { limitRows } from './limits.ts';
import { productRows } from './product.ts';
import { propertyRows } from './properties.ts';
import type { SpecRow } from './row.ts';
import { screenRows } from './screens.ts';
import { parameterRows } from './sent.ts';

/**
 * Every row of the specification. A state or a transition names rows in its `meta`, a test in its
 * title: `[S2./signin]`.
 * Texts that the specification calls a template's, no behaviour of the product, have no row.
 */
export const specRows: readonly SpecRow[] = [
  ...productRows,
  ...propertyRows,
  ...addressRows,
  ...screenRows,
  ...callRows,
  ...parameterRows,
  ...limitRows,
];
