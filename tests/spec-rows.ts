import { addressRows } from './spec/addresses.ts';
import { callRows } from './spec/calls.ts';
import { limitRows } from './spec/limits.ts';
import { productRows } from './spec/product.ts';
import { propertyRows } from './spec/properties.ts';
import type { SpecRow } from './spec/row.ts';
import { screenRows } from './spec/screens.ts';
import { parameterRows } from './spec/sent.ts';

/**
 * Every row of the specification. A state or a transition names rows in its `meta`, a test in its title: `[S2./signin]`.
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
