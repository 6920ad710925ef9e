import { catalogueMachine, type ListCommand, type ListFact } from '../../../machines/browsing/catalogue.ts';
import { channelPort } from '../../../machines/ports.ts';
import { followScrolling } from './scroll-position.ts';
import { readList } from './read-list.ts';

const list = channelPort<ListCommand, ListFact>(({ sendBack, receive }) => {
  let reading: ReturnType<typeof readList> | null = null;
  const unfollow = followScrolling();
  receive((command) => {
    switch (command.type) {
      case 'list.ask':
        reading?.stop();
        reading = readList(command.query, sendBack);
        return;
      case 'list.look':
        return reading?.look(command);
      case 'list.goOn':
        return reading?.goOn();
    }
  });
  return () => {
    unfollow();
    reading?.stop();
  };
});

export const flow = catalogueMachine.provide({ actors: { list } });
