import * as v from 'valibot';
import type { CustomField, CustomValues } from './custom-field.ts';

/** The customer's details besides the e-mail address, and the store's own fields. */
export type Details = { customFields: CustomField[]; pii: ProfileAnswers };

/** The customer's name and answers. */
export type ProfileAnswers = { name: string; custom: CustomValues };

/** The form for the name; `withCustomFields` adds the store's own fields. */
export const DetailsForm = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(200, 'tooLong')),
});
export type DetailsForm = v.InferOutput<typeof DetailsForm> & { custom: CustomValues };
