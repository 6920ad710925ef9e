/** What was typed into a form's field of that name, without the blanks around it. */
export const typedIn = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
};
