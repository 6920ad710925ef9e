import type { PDFDocumentProxy } from 'pdfjs-dist';
import type { ProgressKey } from '../../machines/model/reading/reading.ts';
import { openForm, type FormValues } from '../storage/stored-forms.ts';

const SAVE_DELAY_MS = 500;

const isValue = (value: unknown): value is FormValues[string] =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((each) => typeof each === 'string'));

/** The ids of all password fields, each of which may be on several pages. */
const findPasswordFields = async (pdf: PDFDocumentProxy): Promise<ReadonlySet<string>> => {
  const fields = [...((await pdf.getFieldObjects())?.values() ?? [])].flat() as { id: string; password?: boolean }[];
  return new Set(fields.flatMap(({ id, password }) => (password === true ? [id] : [])));
};

/**
 * Restores the customer's form input from this browser and stores further changes; must be called
 * before its pages are shown. Passwords are not stored. The form's scripts never run: the viewer
 * has no scripting sandbox.
 */
export const persistForm = (pdf: PDFDocumentProxy, key: ProgressKey, mountPoint: HTMLElement, signal: AbortSignal): void => {
  const { annotationStorage, fingerprints } = pdf;
  const form = openForm({ ...key, document: fingerprints[0] ?? '' });
  for (const [id, value] of Object.entries(form.values)) annotationStorage.setValue(id, { value });
  let storedValues = JSON.stringify(form.values);
  /** The ids of fields that are not stored, null until the document has been searched for them. */
  let passwords: ReadonlySet<string> | null = null;
  const save = (): void => {
    if (passwords === null) return;
    const fields: Iterable<[string, { value?: unknown }]> = annotationStorage.serializable.map ?? [];
    const values: FormValues = {};
    for (const [id, { value }] of fields) if (isValue(value) && !passwords.has(id)) values[id] = value;
    const next = JSON.stringify(values);
    if (next === storedValues) return;
    if (form.save(values)) storedValues = next;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const saveSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_DELAY_MS);
  };
  void findPasswordFields(pdf).then((ids) => {
    passwords = ids;
    save();
  });
  // A pressed button may reset fields, which fires no events on them.
  for (const type of ['input', 'change', 'click']) mountPoint.addEventListener(type, saveSoon, { signal });
  addEventListener('pagehide', save, { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    save();
  });
};
