window.story = {
 "start": "quay",
 "nodes": {
  "quay": {
   "text": "The last ferry to Corrow Island leaves at ten. At five to ten you are standing on the wet quay with a ticket in your glove, and the gangplank is down, and there is nobody at the top of it. A lamp burns in the wheelhouse. The engine is already running.",
   "choices": [
    {
     "label": "Go aboard",
     "to": "deck"
    },
    {
     "label": "Knock at the ticket office first",
     "to": "office"
    }
   ]
  },
  "office": {
   "text": "The shutter is closed, but behind it someone is breathing. “We don't sail on the ninth,” says a woman's voice. “Never on the ninth.” You hold your ticket up to the crack. It says the ninth. There is a silence, and then a brass key slides out under the shutter. “Then you'd better have this.”",
   "choices": [
    {
     "label": "Take the key and go aboard",
     "to": "deckkey"
    },
    {
     "label": "Leave the key and walk home",
     "to": "home"
    }
   ]
  },
  "home": {
   "text": "You walk home along the sea wall. Behind you the ferry gives three blasts and moves off without a soul at the rail. In the morning it is back at the quay, washed clean, and a seat in the saloon is still warm. You never learn whose. But you are dry, and there is toast. THE END",
   "choices": []
  },
  "deck": {
   "text": "The moment your foot leaves the plank, the ropes slip themselves and the quay slides backwards. You are alone on deck with a bell, a ladder up to the wheelhouse, and a large crate lashed under a tarpaulin. The crate is humming.",
   "choices": [
    {
     "label": "Climb to the wheelhouse",
     "to": "wheelhouse"
    },
    {
     "label": "Look at the crate",
     "to": "crate"
    },
    {
     "label": "Ring the bell",
     "to": "bell"
    }
   ]
  },
  "deckkey": {
   "text": "The ropes slip and the quay slides away. The key is cold and has a tag: HOLD, NOT HATCH. On deck there is a bell, a ladder to the wheelhouse, and a crate under a tarpaulin, humming a tune you almost know.",
   "choices": [
    {
     "label": "Climb to the wheelhouse",
     "to": "wheelhouse"
    },
    {
     "label": "Try the key in the crate",
     "to": "unlock"
    },
    {
     "label": "Take the key below to the hold",
     "to": "hold"
    }
   ]
  },
  "wheelhouse": {
   "text": "No one is at the wheel, but it turns a little, and a little back, the way a wheel does under a good pair of hands. On the chart table a mug of tea is steaming. Beside it lies the log, open, and the last line reads: *22.04. Passenger has come up. Seems nervous.*",
   "choices": [
    {
     "label": "Say good evening",
     "to": "captain"
    },
    {
     "label": "Take the wheel yourself",
     "to": "steer"
    },
    {
     "label": "Go back down to the crate",
     "to": "crate"
    }
   ]
  },
  "captain": {
   "text": "“Good evening,” you say, feeling foolish. The pencil lifts, and writes: *Manners. Makes a change.* Then, after a thought: *I drowned on the ninth, you see. I like to finish the run. Would you mind very much ringing the bell as we pass the Calf? I can't grip the rope.*",
   "choices": [
    {
     "label": "Go down and ring it",
     "to": "calf"
    },
    {
     "label": "Ask what is in the crate",
     "to": "ask"
    }
   ]
  },
  "ask": {
   "text": "The pencil hesitates for a long time. *My daughter's piano,* it writes at last. *It was to be a surprise. It is thirty years late. It hums when it is close to home.* Through the glass you can see white water, off to port, where no white water should be.",
   "choices": [
    {
     "label": "Run down and ring the bell",
     "to": "calf"
    },
    {
     "label": "Take the wheel",
     "to": "steer"
    }
   ]
  },
  "steer": {
   "text": "You put your hands on the spokes, and it is like shaking hands with somebody in the dark. For a moment two of you are steering, to two different places. Then a rock goes by, close enough to read the limpets.",
   "choices": [
    {
     "label": "Let go",
     "to": "letgo"
    },
    {
     "label": "Hold on and turn hard away",
     "to": "wreck"
    }
   ]
  },
  "letgo": {
   "text": "You lift your hands. The wheel spins, checks, and settles. The ferry slips between two black rocks with a hand's breadth on each side. On the log a line appears, rather shakily: *Thank you. Most people don't.*",
   "choices": [
    {
     "label": "Ask what you can do to help",
     "to": "calf"
    }
   ]
  },
  "wreck": {
   "text": "You turn away from the rock that you can see and on to the one that you cannot. It is not violent. The ferry simply lies down, with a sigh, in four feet of water, and you wade ashore on the mainland side with your shoes round your neck. Behind you somebody you can't see is very patiently starting again. THE END",
   "choices": []
  },
  "crate": {
   "text": "You lift the tarpaulin. It is a plain deal crate, and stencilled on the side is *Miss E. Rusk, Corrow. Handle as you would be handled.* There is a padlock. When you lay your palm on the wood the humming rises, a fifth, then an octave.",
   "choices": [
    {
     "label": "Hum along",
     "to": "hum"
    },
    {
     "label": "Climb to the wheelhouse",
     "to": "wheelhouse"
    },
    {
     "label": "Ring the bell for help",
     "to": "bell"
    }
   ]
  },
  "unlock": {
   "text": "The tag said HOLD, NOT HATCH, but you try the crate and the key turns. Inside, wrapped in blankets, stands a small upright piano with candle brackets. The lid is warm. The tune is coming out of it by itself, and stops in the middle of a bar, waiting.",
   "choices": [
    {
     "label": "Play the next note",
     "to": "hum"
    },
    {
     "label": "Close it and take the key below",
     "to": "hold"
    }
   ]
  },
  "hold": {
   "text": "The key opens a low iron door. The hold is full of letters, stacked in bundles and tied with tarred string: thirty years of post that never crossed on the ninth. The top one is addressed in pencil to Miss E. Rusk, and the ink of the stamp is still wet.",
   "choices": [
    {
     "label": "Put it in your pocket to deliver",
     "to": "deliver"
    },
    {
     "label": "Read it",
     "to": "read"
    }
   ]
  },
  "read": {
   "text": "*My dear Effie, by the time this reaches you I shall have reached you too, and you may laugh at me for writing it.* There is no more. You fold it up and find that your face is wet, and so is the floor. The Calf rocks have opened a seam, and the sea is coming in politely under the door.",
   "choices": [
    {
     "label": "Run up and ring the bell",
     "to": "calf"
    },
    {
     "label": "Save the letters",
     "to": "letters"
    }
   ]
  },
  "letters": {
   "text": "You carry them up by the armful, forty bundles, until your arms shake. The ferry grounds gently on the Corrow shingle at first light. It takes you the rest of the summer to deliver them all, and you are given tea at every door. You stay on the island. Somebody has to be postman. THE END",
   "choices": []
  },
  "bell": {
   "text": "You ring it once, and the note goes out over the water and comes back from somewhere much too near. Rocks. The engine drops to a murmur as if somebody had been listening for just that, and a pencil begins to tap on the wheelhouse glass.",
   "choices": [
    {
     "label": "Keep ringing",
     "to": "calf"
    },
    {
     "label": "Go up and see who is tapping",
     "to": "wheelhouse"
    }
   ]
  },
  "hum": {
   "text": "You give it the next note, and the next. You do know it after all; everybody's mother knew it. Across the water, from the island, very faint, another piano answers, a little out of tune, played by somebody who stopped expecting this a long time ago.",
   "choices": [
    {
     "label": "Keep playing until you land",
     "to": "duet"
    },
    {
     "label": "Ring the bell, so that she knows",
     "to": "calf"
    }
   ]
  },
  "duet": {
   "text": "You play all the way in. She is on the jetty in her dressing gown, seventy if she is a day, and she looks not at you but at the air beside your shoulder, where the tea-smell is. “You're late,” says Effie Rusk. The pencil, which you find behind your own ear, is quite still. From that year on the ferry sails on the ninth like any other night. THE END",
   "choices": []
  },
  "calf": {
   "text": "You take the rope in both hands and ring, steady as a heart, while the Calf goes by to port with its skirt of foam. The echo tells the helm where the rock is; the helm leans; the ferry goes through. Ahead there is one lamp, on one jetty, and somebody holding it.",
   "choices": [
    {
     "label": "Step ashore",
     "to": "deliver"
    },
    {
     "label": "Stay aboard for the return",
     "to": "bellringer"
    }
   ]
  },
  "deliver": {
   "text": "“Miss Rusk?” you say. She takes what you have brought her, the news or the letter, and reads your face instead. “He got in, then,” she says. Behind you the ferry is empty, only a boat now, knocking on its fenders. She makes up the spare bed for you. In the morning there are six men on the jetty, arguing about how to carry a piano. THE END",
   "choices": []
  },
  "bellringer": {
   "text": "It seems unkind to leave him to do it by himself. You ring him home past the Calf, and the log, when you go up to look, says: *Safe in, 23.51. Crew of two.* You have kept the job for nineteen years. It is only one night in the month, and the tea is very good. THE END",
   "choices": []
  }
 },
 "ending": "The story ends here. Press “Start again” to steer it elsewhere.",
 "sampleEnd": "The sample ends here. The rest of the crossing is in the full story."
};
