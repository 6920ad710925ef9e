/** The trimmed text of the form's field with that name; empty without such a field. */
export const readTyped = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
};
