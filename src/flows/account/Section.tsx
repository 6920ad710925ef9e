import type { ReactElement, ReactNode } from 'react';
import type { StateValue } from 'xstate';
import { chakra } from '../../ui/chakra.ts';

type SectionProps = {
  /** The machine whose part of the account this is, and its state. */
  name: string;
  value: StateValue;
  heading: ReactNode;
  children: ReactNode;
};

/** A part of the account, under its heading. */
export const Section = ({ name, value, heading, children }: SectionProps): ReactElement => (
  <section data-flow={name} data-state={JSON.stringify(value)}>
    <chakra.h2 fontSize="xl" mb={3} tabIndex={-1}>
      {heading}
    </chakra.h2>
    {children}
  </section>
);

/** A part that this store or this server does not have: nothing is seen of it. */
export const NoSection = ({ name, value }: Pick<SectionProps, 'name' | 'value'>): ReactElement => (
  <div hidden data-flow={name} data-state={JSON.stringify(value)} />
);
