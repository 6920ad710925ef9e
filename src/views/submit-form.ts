import type { FormEvent } from 'react';
import type { GenericSchema } from 'valibot';
import type { AnyActorRef } from 'xstate';
import { readFields } from './read-fields.ts';

/**
 * Creates a form's submit handler. It sends `{name}.submitted` with the input to the form's
 * machine, or `{name}.rejected` with the validation errors; during a submission (`busy`), nothing.
 */
export const createSubmitHandler =
  (actor: AnyActorRef, name: string, form: GenericSchema, busy: boolean) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (busy) return;
    const result = readFields(event.currentTarget, form);
    if ('fields' in result) actor.send({ type: `${name}.rejected`, fields: result.fields });
    else actor.send({ type: `${name}.submitted`, pii: { form: result.values } });
  };
