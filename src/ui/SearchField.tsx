import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { chakra } from './chakra.ts';

const Input = chakra('input', {
  base: {
    flex: 1,
    minWidth: 0,
    minHeight: 10,
    pl: 4,
    bg: 'transparent',
    color: 'ink',
    fontSize: 'md',
    outline: 'none',
    appearance: 'none',
    _placeholder: { color: 'inkMuted', opacity: 1 },
  },
});

type SearchFieldProps = Omit<ComponentProps<typeof Input>, 'type'> & { label: string; icon: ReactNode };

/** A search field with a magnifying glass as the button that submits its form, as Enter does. */
export const SearchField = ({ label, icon, ...input }: SearchFieldProps): ReactElement => (
  <chakra.div
    display="flex"
    alignItems="center"
    bg="sunken"
    border="1px solid"
    borderColor="lineStrong"
    borderRadius="full"
    overflow="hidden"
    css={{ '&:has(input:focus-visible)': { outline: '3px solid', outlineColor: 'accentInk', outlineOffset: '1px' } }}
  >
    <Input type="search" aria-label={label} maxLength={200} enterKeyHint="search" {...input} />
    <chakra.button
      type="submit"
      aria-label={label}
      display="inline-grid"
      placeItems="center"
      width={12}
      minHeight={10}
      color="inkMuted"
      cursor="pointer"
      _hover={{ color: 'accentInk' }}
    >
      {icon}
    </chakra.button>
  </chakra.div>
);
