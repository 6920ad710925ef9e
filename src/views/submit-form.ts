import type { FormEvent } from 'react';
import type { GenericSchema } from 'valibot';
import type { AnyActorRef } from 'xstate';
import { readFields } from './read-fields.ts';

/**
 * What a form does when it is sent: its machine gets `{name}.submitted` with what was typed, or `{name}.rejected` with what
 * is wrong with it. While it is on its way (`busy`), nothing.
 */
export const submitForm =
  (actor: AnyActorRef, name: string, form: GenericSchema, busy: boolean) =>
  (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (busy) return;
    const read = readFields(event.currentTarget, form);
    if ('fields' in read) actor.send({ type: `${name}.rejected`, fields: read.fields });
    else actor.send({ type: `${name}.submitted`, pii: { form: read.values } });
  };
