import * as v from 'valibot';
import type { CustomField, CustomValues } from './custom-field.ts';

/** What a shop knows of a customer beside the address, and what it asks for. */
export type Details = { customFields: CustomField[]; pii: Answers };

/** What the customer is called, and what they have answered. */
export type Answers = { name: string; custom: CustomValues };

/** What is typed; the store's own fields are added to it by `withCustomFields`. */
export const DetailsForm = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(200, 'tooLong')),
});
export type DetailsForm = v.InferOutput<typeof DetailsForm> & { custom: CustomValues };
