import type { Title, TitleSummary } from '../../../machines/model/title.ts';
import { requestPort } from '../../../machines/ports.ts';
import { titleMachine, type TitleReference } from '../../../machines/browsing/title.ts';
import { userHasTitle } from '../../client/ownership.ts';
import { raise } from '../../client/problem.ts';
import { relatedTitles, titleById, titleByIsbn } from '../../client/titles.ts';
import { api } from '../../client/open-client.ts';
import { comments } from './comments-port.ts';
import { sharing } from './sharing-ports.ts';
import { inViewPort } from './in-view.ts';

export const flow = titleMachine.provide({
  actors: {
    title: requestPort<Title, TitleReference>(async ({ input, signal }) => {
      if ('titleId' in input) return titleById(await api(), input.titleId, signal);
      if ('isbn' in input) return titleByIsbn(await api(), input.isbn, signal);
      return raise({ kind: 'refused', code: 'not_found', message: '' });
    }),
    related: requestPort<TitleSummary[], { titleId: string }>(async ({ input, signal }) =>
      relatedTitles(await api(), input.titleId, signal),
    ),
    relatedInView: inViewPort('related', { type: 'related.near' }),
    commentsInView: inViewPort('comments', { type: 'comments.near' }),
    comments,
    sharing,
    ownership: requestPort<string | null, { titleId: string }>(async ({ input, signal }) =>
      userHasTitle(await api(), input, signal),
    ),
  },
});
