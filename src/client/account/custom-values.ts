import type { CustomValues } from '../../../machines/model/account/custom-field.ts';

/** The answers in the wire's form; a cleared answer is sent as an empty text. */
export const toCustomValues = (custom: CustomValues): { Id: string; Value: string }[] =>
  Object.entries(custom).map(([Id, Value]) => ({ Id, Value }));
