/** The secret that the address ends in, as the link of a letter has it; machines only know that there is one. */
export const secretInAddress = ({ pathname }: { pathname: string } = location): string => {
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};
