import * as v from 'valibot';
import { customersKey } from './session-storage.ts';
import { stored, storeList } from './storage.ts';

/** Values of a form's fields by their ids in the document. */
const FormValues = v.record(v.string(), v.union([v.string(), v.boolean(), v.array(v.string()), v.null()]));
export type FormValues = v.InferOutput<typeof FormValues>;

/** `document` is the file’s fingerprint: another edition may give its fields the same ids. */
const KeptForm = v.object({ titleId: v.string(), contextKey: v.string(), document: v.string(), values: FormValues });
type KeptForm = v.InferOutput<typeof KeptForm>;
export type FormKey = Pick<KeptForm, 'titleId' | 'contextKey' | 'document'>;

/** Characters that a browser keeps of one form, and of all forms of a customer. */
const MAX_FORM_CHARS = 64_000;
const MAX_ALL_CHARS = 256_000;

const nameOf = (customer: string) => `colophon.forms.${customer}` as const;
const formsOf = (customer: string): KeptForm[] => stored(nameOf(customer), v.array(KeptForm), []);

/** As many of the items, the first ones first, as are together no longer than `limit`. */
const fitting = <Item>(items: readonly Item[], limit: number): Item[] => {
  let room = limit;
  return items.filter((item) => {
    const { length } = JSON.stringify(item);
    if (length > room) return false;
    room -= length;
    return true;
  });
};

/**
 * Opens the form of a title for the customer who is signed in. `save` keeps the fields that fit,
 * instead of the oldest forms, and nothing once the customer has signed out; it says whether all of
 * them are kept.
 */
export const openForm = ({ titleId, contextKey, document }: FormKey) => {
  const customer = customersKey();
  const isThis = (form: KeptForm): boolean => form.titleId === titleId && form.contextKey === contextKey;
  return {
    values: formsOf(customer).find((form) => isThis(form) && form.document === document)?.values ?? {},
    save: (given: FormValues): boolean => {
      if (customer === '' || customersKey() !== customer) return false;
      const values = Object.fromEntries(fitting(Object.entries(given), MAX_FORM_CHARS));
      const others = formsOf(customer).filter((form) => !isThis(form));
      const forms = fitting([{ titleId, contextKey, document, values }, ...others], MAX_ALL_CHARS);
      return storeList(nameOf(customer), forms) > 0 && Object.keys(values).length === Object.keys(given).length;
    },
  };
};
