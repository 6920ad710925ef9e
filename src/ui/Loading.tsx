import type { ReactElement, ReactNode } from 'react';
import { chakra } from './chakra.ts';

/** A grey placeholder of the final size. */
export const Skeleton = chakra('span', {
  base: {
    display: 'block',
    bg: 'sunken',
    borderRadius: 'sm',
    animation: 'breathe 1.6s ease-in-out infinite',
  },
});

/** The spinner of an action in progress; the text beside it names the action. */
export const Spinner = chakra('span', {
  base: {
    display: 'inline-block',
    flex: 'none',
    width: '1.25em',
    height: '1.25em',
    border: '2px solid currentColor',
    borderRightColor: 'transparent',
    borderRadius: 'full',
    animation: 'turn 0.9s linear infinite',
  },
});

/** A centred spinner with a text that is announced. */
export const Loading = ({ children }: { children: ReactNode }): ReactElement => (
  <chakra.div
    role="status"
    display="flex"
    alignItems="center"
    justifyContent="center"
    gap={3}
    minHeight="40vh"
    color="inkMuted"
    fontSize="lg"
  >
    <Spinner aria-hidden="true" />
    {children}
  </chakra.div>
);
