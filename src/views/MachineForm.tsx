import { useSelector } from '@xstate/react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import type { GenericSchema } from 'valibot';
import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import { chakra } from '../ui/chakra.ts';
import { SubmitButton } from '../ui/SubmitButton.tsx';
import { createSubmitHandler } from './submit-form.ts';

const isBusy = (state: AnyMachineSnapshot): boolean => state.hasTag('busy');

type FormProps = Omit<ComponentProps<typeof chakra.form>, 'form' | 'name'> & {
  /** An actor of a machine that accepts `{name}.submitted` and `{name}.rejected`. */
  actor: AnyActorRef;
  name: string;
  form: GenericSchema;
};

/** The form of a machine; its fields keep their values while the machine is busy. */
export const MachineForm = ({ actor, name, form, ...props }: FormProps): ReactElement => {
  const busy = useSelector(actor, isBusy);
  return (
    <chakra.form
      noValidate
      onSubmit={createSubmitHandler(actor, name, form, busy)}
      display="grid"
      gap={5}
      aria-busy={busy}
      {...props}
    />
  );
};

type SendButtonProps = Omit<ComponentProps<typeof SubmitButton>, 'busy'> & { actor: AnyActorRef; children: ReactNode };

/** The button that submits a machine's form. */
export const SendButton = ({ actor, ...button }: SendButtonProps): ReactElement => (
  <SubmitButton busy={useSelector(actor, isBusy)} {...button} />
);
