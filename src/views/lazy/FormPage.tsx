import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { Problem } from '../../../machines/model/problem.ts';
import { chakra } from '../../ui/chakra.ts';
import { Sheet } from '../../ui/Page.tsx';
import { MachineForm, SendButton } from '../MachineForm.tsx';
import { ProblemNotice } from '../ProblemNotice.tsx';
import { formatProblem } from '../problem-text.ts';

/** The content of a page under its heading. */
export const TitledPage = ({ heading, children }: { heading: ReactNode; children: ReactNode }): ReactElement => (
  <chakra.div display="grid" gap={6}>
    <chakra.h1 fontSize="3xl" textAlign="center">
      {heading}
    </chakra.h1>
    {children}
  </chakra.div>
);

type FormPageProps = Pick<ComponentProps<typeof MachineForm>, 'actor' | 'name' | 'form'> & {
  heading: ReactNode;
  /** Content between the heading and the form. */
  above?: ReactNode;
  /** Why the last submission was refused; `reason` returns its text. */
  problem?: Problem | null;
  reason?: (problem: Problem) => ReactNode;
  /** The fields. */
  children: ReactNode;
  /** The button's texts, idle and during the submission. */
  submitText: ReactNode;
  busyText: string;
  /** Content after the form. */
  below?: ReactNode;
};

/** A page with a single form, such as sign-in or sign-up. */
export const FormPage = ({
  heading,
  above,
  problem = null,
  reason = formatProblem,
  children,
  submitText,
  busyText,
  below,
  ...form
}: FormPageProps): ReactElement => (
  <TitledPage heading={heading}>
    {above}
    {problem === null ? null : <ProblemNotice problem={problem}>{reason(problem)}</ProblemNotice>}
    <Sheet>
      <MachineForm {...form}>
        {children}
        <SendButton actor={form.actor} size="lg" wide event={`${form.name}.submitted`} busyText={busyText}>
          {submitText}
        </SendButton>
      </MachineForm>
    </Sheet>
    {below}
  </TitledPage>
);
