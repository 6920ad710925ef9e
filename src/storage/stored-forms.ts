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

/** Maximum characters that a browser stores of one form, and of all forms of a customer. */
const MAX_FORM_CHARS = 64_000;
const MAX_ALL_CHARS = 256_000;

const getStorageKey = (customer: string) => `colophon.forms.${customer}` as const;
const readForms = (customer: string): StoredForm[] => readItem(getStorageKey(customer), v.array(StoredForm), []);

/** The longest prefix of the items whose total length is within `limit`. */
const takeFitting = <Item>(items: readonly Item[], limit: number): Item[] => {
  let room = limit;
  return items.filter((item) => {
    const { length } = JSON.stringify(item);
    if (length > room) return false;
    room -= length;
    return true;
  });
};

/**
 * Opens a title's form for the signed-in customer. `save` stores the fields that fit, evicting the
 * oldest forms, and nothing after the customer has signed out; it returns whether all of them are
 * stored.
 */
export const openForm = ({ titleId, contextKey, document }: FormKey) => {
  const customer = getCustomerKey();
  const isThis = (form: StoredForm): boolean => form.titleId === titleId && form.contextKey === contextKey;
  return {
    values: readForms(customer).find((form) => isThis(form) && form.document === document)?.values ?? {},
    save: (given: FormValues): boolean => {
      if (customer === '' || getCustomerKey() !== customer) return false;
      const values = Object.fromEntries(takeFitting(Object.entries(given), MAX_FORM_CHARS));
      const others = readForms(customer).filter((form) => !isThis(form));
      const forms = takeFitting([{ titleId, contextKey, document, values }, ...others], MAX_ALL_CHARS);
      return writeList(getStorageKey(customer), forms) > 0 && Object.keys(values).length === Object.keys(given).length;
    },
  };
};
