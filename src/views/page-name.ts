import type { MessageDescriptor } from '@lingui/core';
import type { StateValue } from 'xstate';
import type { Brand } from '../brand/brand.ts';

/**
 * Returns the page's name for the window's title, from the context and state of a flow's machine.
 * null: the name of the page's route, or without one, the shop's name alone.
 */
export type PageName<Context> = (context: Context, brand: Brand, state: StateValue) => MessageDescriptor | string | null;
