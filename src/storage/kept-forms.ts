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

/** Maximum characters that a browser stores of one form, and of all forms of a customer. */
const MAX_FORM_CHARS = 64_000;
const MAX_ALL_CHARS = 256_000;

const nameOf = (customer: string) => `colophon.forms.${customer}` as const;
const formsOf = (customer: string): KeptForm[] => stored(nameOf(customer), v.array(KeptForm), []);

/** The longest prefix of the items whose total length is within `limit`. */
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
 * Opens a title's form for the signed-in customer. `save` stores the fields that fit, evicting the
 * oldest forms, and nothing after the customer has signed out; it returns whether all of them are
 * stored.
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
