import type { MessageDescriptor } from '@lingui/core';
import type { StateValue } from 'xstate';
import type { Brand } from '../brand/brand.ts';

/**
 * What a flow is called in the window's title, out of its machine's context and state; null where the shop's name alone
 * will do.
 */
export type PageName<Context> = (context: Context, brand: Brand, state: StateValue) => MessageDescriptor | string | null;
