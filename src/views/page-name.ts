import type { MessageDescriptor } from '@lingui/core';
import type { StateValue } from 'xstate';
import type { Brand } from '../brand/brand.ts';

/**
 * A flow's name for the window's title, from its machine's context and state; null where the shop's
 * name alone is enough.
 */
export type PageName<Context> = (context: Context, brand: Brand, state: StateValue) => MessageDescriptor | string | null;
