import type { FormEvent } from 'react';
import type { GenericSchema } from 'valibot';
import type { AnyActorRef } from 'xstate';
import { readFields } from './read-fields.ts';

/**
 * A form's submit handler: sends `{name}.submitted` with the input to its machine, or
 * `{name}.rejected` with the validation errors. Does nothing during a submission (`busy`).
 */
export const createSubmitHandler =
  (actor: AnyActorRef, name: string, form: GenericSchema, busy: boolean) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (busy) return;
    const read = readFields(event.currentTarget, form);
    if ('fields' in read) actor.send({ type: `${name}.rejected`, fields: read.fields });
    else actor.send({ type: `${name}.submitted`, pii: { form: read.values } });
  };
