import type { CustomValues } from '../../../machines/model/account/custom-field.ts';

/** What was answered, as it is sent; what was emptied is sent empty. */
export const customValues = (custom: CustomValues): { Id: string; Value: string }[] =>
  Object.entries(custom).map(([Id, Value]) => ({ Id, Value }));
