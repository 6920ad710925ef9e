import { addressRows } from './addresses.ts';
import { callRows } from './calls.ts';
import { limitRows } from './limits.ts';
import { productRows } from './product.ts';
import { propertyRows } from './properties.ts';
import type { SpecRow } from './row.ts';
import { screenRows } from './screens.ts';
import { parameterRows } from './sent-calls.ts';

/**
 * Every row of the specification. States and transitions name rows in their `meta`, tests in their
 * titles: `[S2./signin]`. Texts that the specification marks as a template's, not as behaviour of
 * the product, have no row.
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
