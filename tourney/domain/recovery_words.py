"""The four words that bring a player's card to another phone: made, and read as people type them.

They are plain English words in every language, so that a card that was printed in one is read in all. No two are one
typo apart, and none begins with another: what is typed nearly right is still that word.
"""

import re
from random import Random

from tourney.domain.naming import is_one_typo_apart
from tourney.runtime.letters import plain

COUNT = 4
"""So many make up more than 37 bits."""

LONGEST_TYPED = 100

WORDS = tuple(
    """
    acorn actor album alley almond alpaca amber anchor angle antler apple apricot apron arch arena armchair arrow
    artist asteroid attic author autumn avocado awning bacon badger bagel baker balcony ballad balloon bamboo banana
    bandage banjo banner barley barrel basil basket bassoon bathtub battery beaver bedroom beetle bellows bench berry
    bicycle birch biscuit bison blanket blossom bobsled bonfire bonnet bookcase border bottle boulder bouquet bracelet
    branch brass bread breeze bridge broccoli bronze broom brother brush bubble bucket buckle buffalo bugle builder
    bumper bunker butter button cabbage cabin cactus camel camera campus canary candle canoe canvas canyon captain
    caramel caravan cardinal cargo carpet carrot cartoon cascade cashew castle catalog cavern cedar ceiling celery
    cello cement cereal chalk channel chapel charcoal chariot cheese cherry chess chestnut chicken chimney chipmunk
    chisel chorus cider cinema cinnamon circus citrus clarinet clay cliff clinic clock cloud clover cobalt cobweb
    cocoa coconut coffee collar column comet compass concert condor cookie copper coral corner costume cottage cotton
    cougar cousin cowboy coyote cracker cradle crater crayon cricket crimson crown cruise crystal cuckoo cucumber
    cupboard curtain cushion custard cyclone cymbal daffodil dagger daisy dancer dawn decade december denim dentist
    desert diamond diary dinner diploma doctor dolphin domino donkey donut doorbell dragon drawer dresser drizzle
    drummer dumpling dungeon eagle earring easel eclipse elbow elephant elevator emerald emperor engine envelope
    escape evening explorer fabric factory falcon family farmer feather fennel fern fiddle fiesta figure finger
    flamingo flannel flavor flipper flour flower flute forest fossil fountain freckle freezer frigate frost fruit
    furnace gadget galaxy gallery garage garden garlic garnet gazebo gazelle general geyser giant giraffe glacier
    gloves goblet goggles goldfish gondola gorilla granite grape gravel griffin grizzly grocery guitar gymnast haircut
    hallway hammock hamster harbor harmony harness harp harvest hatchet hawk hazelnut hedgehog helium helmet heron
    hickory highway hockey holiday homework honey horizon hornet hotel hound hurdle icicle igloo iguana indigo insect
    island ivory jacket jaguar jasmine jersey jigsaw journey judge juggler juice jungle juniper kangaroo karate kayak
    kernel kettle keyhole kingdom kitchen kiwi knight koala ladder ladybug lagoon lantern laptop lasagna laundry
    lavender leaf lecture legend lemonade leopard lettuce library lilac lime linen lizard llama lobster locket lotus
    lullaby lumber lunch macaroni magazine magnet magpie mahogany mailbox mammoth manatee mandolin mango mansion maple
    marathon marble marigold market mascot mattress meadow medal melody mermaid meteor midnight minnow mirror mitten
    moccasin molasses monarch monsoon moose mosaic mosquito muffin mulberry museum mushroom music nacho napkin narwhal
    nebula necklace needle nephew nickel noodle north notebook nugget nutmeg oasis oatmeal oboe ocean octopus olive
    omelet onion opera orange orbit orchard orchid oregano origami ostrich otter oyster paddle painter palace pancake
    panda pantry papaya parade parcel parka parsley passport pasture patio peach peacock peanut pebble pelican pencil
    penguin pepper perfume petal piano pickle picnic pigeon pillow pilot pioneer pirate planet plaza plum poet polar
    pony popcorn poppy porridge portrait postcard potato pottery prairie pretzel prince pudding pulley pumpkin puppet
    puzzle pyramid quail quarry quartz queen quilt quiver rabbit raccoon radish rafter railway rainbow raisin raven
    reef reindeer relay ribbon ripple river robin rodeo rooster rosemary rowboat ruby rudder runway saffron sailor
    salad salmon sandal sapphire sardine satchel saturn sauna scallop scarf school scissors scooter scorpion seagull
    seahorse seaweed seesaw shadow shampoo shark shelter shepherd sheriff shoelace shovel shrimp shuttle sidewalk
    silver siren sister sketch skillet sled smoke snail snorkel soccer sofa soldier sparrow spatula spider spinach
    spiral sponge spoon squash squid squirrel stadium stallion starfish station statue steeple stencil stingray stork
    studio subway sugar suitcase summer sundial surfer swallow sweater swing sword syrup tablet tadpole tapestry
    teacher teapot temple tennis termite terrace theater thicket thimble thistle throne thunder tiger timber toaster
    tomato topaz torch tornado tortoise toucan tourist towel tractor trail treasure triangle tricycle trolley trombone
    tropics trout trumpet tugboat tulip tunnel turban turkey turnip turtle twilight typhoon ukulele umbrella uncle
    unicorn uniform utensil vacation vanilla vase velvet vessel village vineyard violet violin visitor volcano voyage
    waffle wagon waiter walnut walrus waltz wardrobe whale wheat whisker wicker windmill window winter wolf wombat
    workshop wreath wren yacht yellow yogurt zebra zeppelin zigzag zipper
    """.split()
)

KNOWN = frozenset(WORDS)


def new_words(random: Random) -> str:
    """Four words by chance, as they are shown and hashed."""
    return " ".join(random.choice(WORDS) for _ in range(COUNT))


def read_words(typed: str) -> str | None:
    """The four words that were typed, one wrong letter in each corrected; None where it is anything else.

    Capitals, accents, commas, numbers and lines between them don't matter.
    """
    words = [_word(part) for part in re.findall("[a-z]+", plain(typed[:LONGEST_TYPED]))]
    known = [word for word in words if word]
    return " ".join(known) if len(known) == len(words) == COUNT else None


def _word(typed: str) -> str | None:
    if typed in KNOWN:
        return typed
    return next((word for word in WORDS if is_one_typo_apart(typed, word)), None)
