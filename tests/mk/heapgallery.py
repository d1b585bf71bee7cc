# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapgallery.py - the demo dump of a phone: a photo application that forgets to release objects, for mkheap.py.

gallery   Android 7 (pixels in byte[]), com.example.gallery: six destroyed PhotoActivity objects, each with its photo of
          240x160 pixels, hang on ThumbnailLoader.listeners, a static list that nobody is taken out of; a cache of thumbnails
          (RGB_565), four of them twice; the same face four times; an icon, a mask (ALPHA_8), a recycled bitmap, a detached
          badge held by a running animation, LeakCanary's reference to the first PhotoActivity, captions that repeat.
"""
import functools
import math

from heapbitmaps import as_565, as_8888, as_alpha
from heapfile import BYTE, LONG
from heapleaks import UPTIME, Case
from heapphone import ANDROID, RECENT, Phone

WIDGETS = (
    ("android.graphics.Bitmap", "java.lang.Object",
     "mBuffer mNinePatchChunk mNinePatchInsets mNativePtr:J mDensity:I mHeight:I mWidth:I mIsMutable:Z mRecycled:Z mRequestPremultiplied:Z"),
    ("android.graphics.drawable.Drawable", "java.lang.Object", "mCallback mLevel:I"),
    ("android.graphics.drawable.BitmapDrawable$BitmapState", "java.lang.Object", "mBitmap mGravity:I"),
    ("android.graphics.drawable.BitmapDrawable", "android.graphics.drawable.Drawable", "mBitmapState"),
    ("android.widget.ImageView", "android.view.View", "mDrawable mUri mResource:I"),
    ("android.util.LruCache", "java.lang.Object", "map hitCount:I maxSize:I missCount:I size:I"),
)
CAPTIONS = ("Lake in the evening", "On the way home", "Market", "IMG", "The old bridge")


@functools.lru_cache(maxsize=1 << 12)
def mix(a, b, t):
    return tuple(round(x + (y - x) * t) for x, y in zip(a, b))


def picture(w, h, colour):
    return [colour(x, y) for y in range(h) for x in range(w)]


def sunset(w, h, hour):
    """A sun above hills and water; the later the hour, the redder."""
    sky = [(18, 24, 72), (120 + hour * 8, 50, 120 - hour * 6), (250, 120 - hour * 6, 60), (255, 214 - hour * 10, 130)]
    line, sun, size = h * 0.62, (w * (0.3 + 0.08 * hour), h * (0.3 + 0.05 * hour)), h * 0.12

    def colour(x, y):
        if y < line:
            t = y / line * 3
            c = mix(sky[int(t)], sky[min(int(t) + 1, 3)], t - int(t))
            far = math.hypot(x - sun[0], y - sun[1]) / size
            if far < 2.2:
                c = (255, 244, 200) if far < 1 else mix((255, 230, 160), c, (far - 1) / 1.2)
            if y > line - h * (0.1 + 0.08 * math.sin(x / w * 7 + hour) + 0.04 * math.sin(x / w * 19)):
                c = mix((40, 20, 60), c, 0.12)
            return c + (255,)
        t = (y - line) / (h - line)
        c = mix((230, 130, 90), (20, 30, 80), t ** 0.6)
        glint = abs(x - sun[0]) < size * (1 - t * 0.4) and math.sin(y * 1.9 + x * 0.15) > 0.1
        return (mix(c, (255, 220, 150), 0.55) if glint else c) + (255,)

    return picture(w, h, colour)


def hills(w, h, hue):
    """A thumbnail: layers of hills in one colour."""
    base = [(80, 160, 80), (70, 120, 190), (190, 110, 70), (150, 90, 170), (60, 160, 150), (200, 170, 60)][hue]
    light, dark = mix(base, (255, 255, 255), 0.45), mix(base, (0, 0, 0), 0.55)

    def colour(x, y):
        c = mix((250, 250, 255), mix(base, (255, 255, 255), 0.6), y / h)
        for k in range(4):
            if y > h * (0.35 + 0.15 * k + 0.07 * math.sin(x / w * (5 + 2 * k) + hue + 2 * k)):
                c = mix(light, dark, k / 3)
        return c + (255,)

    return picture(w, h, colour)


def round_icon(n, power, colour):
    """Opaque inside a rounded shape, with a soft edge; colour sees -1 .. 1."""
    def at(x, y):
        u, v = (x + 0.5) / n * 2 - 1, (y + 0.5) / n * 2 - 1
        edge = (0.96 - (abs(u) ** power + abs(v) ** power) ** (1 / power)) * n / 2
        return colour(u, v) + (round(255 * max(0.0, min(1.0, edge))),)

    return picture(n, n, at)


def face(u, v):
    eye = min(math.hypot(u - 0.33, (v + 0.25) * 0.8), math.hypot(u + 0.33, (v + 0.25) * 0.8)) < 0.12
    mouth = abs(math.hypot(u, v + 0.05) - 0.55) < 0.06 and v > 0.18
    return (70, 40, 10) if eye or mouth else mix((255, 220, 70), (240, 170, 40), max(0, min(1, (u + v + 1) / 2)))


def camera(u, v):
    lens = math.hypot(u, v - 0.08)
    if lens < 0.25:
        return mix((120, 180, 230), (30, 40, 90), max(0, min(1, u + v + 0.4)))
    if lens < 0.36:
        return (50, 60, 80)
    if (abs(u) < 0.66 and -0.36 < v < 0.52) or (abs(u) < 0.26 and -0.56 < v <= -0.36):
        return (245, 245, 245)
    return mix((30, 150, 220), (20, 80, 170), (v + 1) / 2)


def shadow(w, h):
    return picture(w, h, lambda x, y: (0, 0, 0, round(200 * max(0, 1 - math.hypot((x + .5) / w * 2 - 1, (y + .5) / h * 2 - 1)))))


class Gallery:
    def __init__(self, case):
        self.c, self.p = case, case.p

    def bitmap(self, w, h, data):
        return self.p.obj("android.graphics.Bitmap", mWidth=w, mHeight=h, mBuffer=self.p.prims(BYTE, data) if data else 0,
                          mNativePtr=0x7b00400000 + 64 * w, mDensity=320, mRequestPremultiplied=True, mRecycled=not data)

    def shown(self, bitmap, context, ident, **more):
        """An ImageView that shows it."""
        p = self.p
        state = p.obj("android.graphics.drawable.BitmapDrawable$BitmapState", mBitmap=bitmap, mGravity=17)
        return p.obj("android.widget.ImageView", mContext=context, mID=ident, mWindowAttachCount=1,
                     mDrawable=p.obj("android.graphics.drawable.BitmapDrawable", mBitmapState=state), **more)

    def photos(self):
        """The activities that were closed, and the list that they were never taken out of."""
        p = self.p
        p.app("com.example.gallery.PhotoActivity", "android.app.Activity", "mPhoto mCaption")
        p.app("com.example.gallery.PhotoActivity$1", fields="this$0")
        gone, listeners = [], []
        for i in range(6):
            at = p.reserve("com.example.gallery.PhotoActivity")
            photo = self.bitmap(240, 160, as_8888(sunset(240, 160, i)))
            p.obj("com.example.gallery.PhotoActivity", at, mBase=self.c.context(at), mApplication=self.c.app, mDestroyed=True,
                  mFinished=True, mPhoto=self.shown(photo, at, 0x7f080031), mCaption=p.text(CAPTIONS[i % 2]))
            gone.append(at)
            listeners.append(p.obj("com.example.gallery.PhotoActivity$1", **{"this$0": at}))
        p.app("com.example.gallery.ThumbnailLoader", listeners=p.list(listeners), cache=self.cache())
        return gone

    def cache(self):
        """The last thumbnails; four were loaded twice."""
        p, pairs = self.p, []
        for i in range(10):
            key = p.text("content://media/external/images/%d" % (1040 + i))
            pairs.append((key, self.bitmap(120, 80, as_565(hills(120, 80, i % 6)))))
        return p.obj("android.util.LruCache", map=p.hash_map(pairs), maxSize=64 << 20, size=len(pairs))

    def screen(self):
        """Return an array of the objects that the window in front shows."""
        p, c = self.p, self.c
        face_px = as_8888(round_icon(64, 2, face))
        users = [p.obj("com.example.gallery.User", mName=p.text(n), mFace=self.bitmap(64, 64, face_px), mTags=p.list([]))
                 for n in ("ann", "ben", "cleo", "dan")]
        icon = self.bitmap(96, 96, as_8888(round_icon(96, 5, camera)))
        attached = {"mParent": c.decor, "mAttachInfo": c.attach}
        old = self.bitmap(64, 32, None)
        return p.refs("java.lang.Object[]", users + [self.shown(icon, c.activity, 0x7f080010, **attached), old,
                                                     self.bitmap(96, 48, as_alpha(shadow(96, 48)))])

    def badge(self):
        p, c = self.p, self.c
        p.app("com.example.gallery.BadgeView", "android.view.View")
        group = p.obj("android.widget.FrameLayout", mContext=c.activity, mParent=c.decor, mAttachInfo=c.attach,
                      mWindowAttachCount=1, mID=-1)
        badge = p.obj("com.example.gallery.BadgeView", mContext=c.activity, mParent=group, mWindowAttachCount=1, mID=0x7f080042)
        return p.obj("android.animation.ObjectAnimator", mTarget=badge, mPropertyName=p.text("alpha"), mStarted=True, mRunning=True)


def gallery():
    rows = tuple(r for r in ANDROID if r[0] != "android.graphics.Bitmap") + RECENT + WIDGETS
    c = Case(Phone(rows))
    g, p = Gallery(c), c.p
    p.app("com.example.gallery.User", fields="mName mFace mTags")
    gone = g.photos()
    p.platform_static("leakcanary.KeyedWeakReference", "heapDumpUptimeMillis", UPTIME, LONG)
    c.keep(sScreen=g.screen(), sAnimation=g.badge(), sWatched=c.watch("photo-key", gone[0], 67000, 62000),
           sCaptions=p.list([p.text("%s, taken with the telephone" % CAPTIONS[i % 5]) for i in range(400)]))
    return c.built()


MAKERS = {"gallery": gallery}
