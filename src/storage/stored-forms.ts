import * as v from 'valibot';
import { getCustomerKey } from './session-storage.ts';
import { readItem, writeList } from './storage.ts';

/** Values of a form's fields by their ids in the document. */
const FormValues = v.record(v.string(), v.union([v.string(), v.boolean(), v.array(v.string()), v.null()]));
export type FormValues = v.InferOutput<typeof FormValues>;

/** `document` is the file’s fingerprint: another edition may give its fields the same ids. */
const StoredForm = v.object({ titleId: v.string(), contextKey: v.string(), document: v.string(), values: FormValues });
type StoredForm = v.InferOutput<typeof StoredForm>;
export type FormKey = Pick<StoredForm, 'titleId' | 'contextKey' | 'document'>;

/** Maximum characters that a browser stores of one form, as JSON. */
const MAX_FORM_CHARS = 64_000;
/** Maximum characters that a browser stores of all forms of a customer, as JSON. */
const MAX_ALL_CHARS = 256_000;

const getStorageKey = (customer: string) => `colophon.forms.${customer}` as const;
const readForms = (customer: string): StoredForm[] => readItem(getStorageKey(customer), v.array(StoredForm), []);

/** The items that fit into `limit` characters of JSON, in order; larger ones are skipped. */
const takeFitting = <Item>(items: readonly Item[], limit: number): Item[] => {
  let remainingChars = limit;
  return items.filter((item) => {
    const { length } = JSON.stringify(item);
    if (length > remainingChars) return false;
    remainingChars -= length;
    return true;
  });
};

/**
 * Opens a title's form for the signed-in customer. `save` stores the fields that fit, evicting the
 * oldest forms, and nothing after the customer has signed out; it returns whether all fields are
 * stored.
 */
export const openForm = ({ titleId, contextKey, document }: FormKey) => {
  const customer = getCustomerKey();
  const isSameForm = (form: StoredForm): boolean => form.titleId === titleId && form.contextKey === contextKey;
  return {
    values: readForms(customer).find((form) => isSameForm(form) && form.document === document)?.values ?? {},
    save: (input: FormValues): boolean => {
      if (customer === '' || getCustomerKey() !== customer) return false;
      const values = Object.fromEntries(takeFitting(Object.entries(input), MAX_FORM_CHARS));
      const otherForms = readForms(customer).filter((form) => !isSameForm(form));
      const forms = takeFitting([{ titleId, contextKey, document, values }, ...otherForms], MAX_ALL_CHARS);
      return writeList(getStorageKey(customer), forms) > 0 && Object.keys(values).length === Object.keys(input).length;
    },
  };
};
