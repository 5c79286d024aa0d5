"""Meshes that the test writes itself: formats, transforms, axes, filling, hulls, and broken files."""
import base64
import json
import os
import struct
import subprocess
import unittest

from tool import CUBE_FACES, TOOL, CliTest, box_obj, box_vertices, obj

TRIANGLES = [t for f in CUBE_FACES for t in ((f[0], f[1], f[2]), (f[0], f[2], f[3]))]


def ascii_stl(low, high):
    corners = box_vertices(low, high)
    lines = ["solid box"]
    for triangle in TRIANGLES:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex %r %r %r" % corners[i - 1] for i in triangle]
        lines += ["endloop", "endfacet"]
    return "\n".join(lines + ["endsolid box"]) + "\n"


def binary_stl(low, high):
    corners = box_vertices(low, high)
    data = b"\0" * 80 + struct.pack("<I", len(TRIANGLES))
    for triangle in TRIANGLES:
        data += struct.pack("<12fH", 0, 0, 0, *(c for i in triangle for c in corners[i - 1]), 0)
    return data


def ply(low, high):
    lines = ["ply", "format ascii 1.0", "element vertex 8", "property float x", "property float y",
             "property float z", "element face 6", "property list uchar int vertex_indices", "end_header"]
    lines += ["%r %r %r" % v for v in box_vertices(low, high)]
    lines += ["4 " + " ".join(str(i - 1) for i in f) for f in CUBE_FACES]
    return "\n".join(lines) + "\n"


def gltf_parts(low, high, nodes):
    """One box mesh, used by the given nodes: the JSON as a dictionary, and the buffer that belongs to it."""
    corners = box_vertices(low, high)
    points = b"".join(struct.pack("<3f", *v) for v in corners)
    indices = b"".join(struct.pack("<3H", *(i - 1 for i in t)) for t in TRIANGLES)
    roots = [i for i in range(len(nodes)) if not any(i in n.get("children", []) for n in nodes)]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": roots}], "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": list(low), "max": list(high)},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
                        {"buffer": 0, "byteOffset": len(points), "byteLength": len(indices)}],
        "buffers": [{"byteLength": len(points) + len(indices)}]}
    return document, points + indices


def gltf(low, high, nodes):
    document, data = gltf_parts(low, high, nodes)
    document["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return json.dumps(document)


def glb(low, high, nodes):
    """The same in one binary file: a chunk of JSON, then the buffer."""
    document, data = gltf_parts(low, high, nodes)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def fbx_property(value):
    """Text, a number with the letter of its type before it, or a list of numbers of one type."""
    if isinstance(value, str):
        return struct.pack("<cI", b"S", len(value)) + value.encode("latin-1")
    if isinstance(value, tuple):
        letter, number = value
        return struct.pack("<c" + {"I": "i", "L": "q", "D": "d"}[letter], letter.encode(), number)
    kind = "d" if isinstance(value[0], float) else "i"
    data = struct.pack("<%d%s" % (len(value), kind), *value)
    return struct.pack("<cIII", kind.encode(), len(value), 0, len(data)) + data


def fbx_node(at, name, properties=(), children=()):
    """One record of a binary FBX file; it holds the offset of its own end, so it must know where it stands."""
    values = b"".join(map(fbx_property, properties))
    data = b""
    for child in children:
        data += fbx_node(at + 13 + len(name) + len(values) + len(data), *child)
    data += b"\0" * 13 if children else b""
    end = at + 13 + len(name) + len(values) + len(data)
    return struct.pack("<IIIB", end, len(properties), len(values), len(name)) + name.encode() + values + data


def fbx(low, high, translation=(0.0, 0.0, 0.0)):
    """A box in binary FBX 7.4."""
    points = [float(c) for v in box_vertices(low, high) for c in v]
    corners = [i - 1 if k < 3 else -i for f in CUBE_FACES for k, i in enumerate(f)]  # the last one as its complement
    moved = ("P", ("Lcl Translation", "Lcl Translation", "", "A", *(("D", c) for c in translation)))
    objects = [("Geometry", (("L", 1), "\0\1Geometry", "Mesh"), [("Vertices", (points,)), ("PolygonVertexIndex", (corners,))]),
               ("Model", (("L", 2), "box\0\1Model", "Mesh"), [("Version", (("I", 232),)), ("Properties70", (), [moved])])]
    data = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
    for node in (("FBXHeaderExtension", (), [("FBXVersion", (("I", 7400),))]), ("Objects", (), objects),
                 ("Connections", (), [("C", ("OO", ("L", a), ("L", b))) for a, b in ((2, 0), (1, 2))])):
        data += fbx_node(len(data), *node)
    return data + b"\0" * 13


class Formats(CliTest):
    LOW, HIGH = (0.25, 0.25, 0.25), (2.75, 1.75, 3.75)

    def check(self, path):
        answer = self.run_json("bake", path, "--solid", "--bounds", "0,0,0,8,8,8")
        self.assertEqual(answer["warnings"], [])
        self.assertEqual(answer["blocked_voxels"], 3 * 2 * 4)
        self.assertAlmostEqual(answer["mesh_volume"], 2.5 * 1.5 * 3.5, places=4)

    def test_every_format(self):
        self.check(self.file("box.obj", box_obj(self.LOW, self.HIGH)))
        self.check(self.file("box.stl", ascii_stl(self.LOW, self.HIGH)))
        self.check(self.file("binary.stl", binary_stl(self.LOW, self.HIGH)))
        self.check(self.file("box.ply", ply(self.LOW, self.HIGH)))
        self.check(self.file("box.gltf", gltf(self.LOW, self.HIGH, [{"mesh": 0}])))
        self.check(self.file("box.glb", glb(self.LOW, self.HIGH, [{"mesh": 0}])))
        self.check(self.file("box.fbx", fbx(self.LOW, self.HIGH)))

    def test_endings_in_capitals(self):
        self.check(self.file("BOX.OBJ", box_obj(self.LOW, self.HIGH)))

    def test_object_of_several_materials_is_one(self):
        lines = box_obj(self.LOW, self.HIGH).splitlines()
        faces = [i for i, line in enumerate(lines) if line.startswith("f")]
        for n, i in enumerate(reversed(faces)):
            lines.insert(i, "usemtl m%d" % (n % 3))
        self.check(self.file("box.obj", "mtllib none.mtl\n" + "\n".join(lines) + "\n"))


class Placing(CliTest):
    def low_and_dims(self, path, *args):
        answer = self.run_json("bake", path, *args)
        return answer["low"], answer["dims"]

    def test_node_transforms(self):
        nodes = [{"children": [1], "translation": [10, 0, 0]},
                 {"mesh": 0, "translation": [0, 5, 0], "scale": [2, 1, 1]}]
        for name, make in (("box.gltf", gltf), ("box.glb", glb)):
            answer = self.run_json("bake", self.file(name, make((0, 0, 0), (1, 1, 1), nodes)))
            self.assertEqual(answer["low"], [10, 5, 0])
            self.assertAlmostEqual(answer["mesh_volume"], 2, places=5)

    def test_fbx_transform(self):
        path = self.file("box.fbx", fbx((0, 0, 0), (1, 2, 1), (7.0, -3.0, 2.0)))
        self.assertEqual(self.run_json("bake", path)["low"], [7, -3, 2])

    def test_turned_node(self):
        # A quarter turn about z carries +x to +y, and +y to -x.
        half = 0.5 ** 0.5
        nodes = [{"mesh": 0, "rotation": [0, 0, half, half], "translation": [0, 0, 6]}]
        answer = self.run_json("bake", self.file("box.glb", glb((0.25, 0.25, 0.25), (2.75, 0.75, 1.75), nodes)))
        for is_low, low in zip(answer["low"], (-0.75, 0.25, 6.25)):
            self.assertAlmostEqual(is_low, low, places=5)
        self.assertEqual(answer["dims"], [1, 3, 2])

    def test_one_mesh_used_twice(self):
        nodes = [{"mesh": 0}, {"mesh": 0, "translation": [4, 0, 0]}]
        answer = self.run_json("bake", self.file("two.gltf", gltf((0, 0, 0), (1, 1, 1), nodes)))
        self.assertEqual(answer["meshes"], 2)
        self.assertAlmostEqual(answer["mesh_volume"], 2, places=5)

    def test_mirrored_node_stays_outside_out(self):
        nodes = [{"mesh": 0, "scale": [-1, 1, 1]}]
        answer = self.run_json("bake", self.file("m.gltf", gltf((0, 0, 0), (1, 2, 1), nodes)))
        self.assertAlmostEqual(answer["mesh_volume"], 2, places=5)
        self.assertEqual(answer["warnings"], [])

    def test_up_axis(self):
        path = self.file("box.obj", box_obj((1, 2, 3), (2, 4, 7)))
        for up, low in (("y", [1, 2, 3]), ("z", [1, 3, -4]), ("x", [-4, 1, 3])):
            answer = self.run_json("bake", path, "--up", up)
            self.assertEqual(answer["low"], low)
            self.assertAlmostEqual(answer["mesh_volume"], 8, places=5)

    def test_scale(self):
        path = self.file("box.obj", box_obj((1, 2, 3), (2, 4, 7)))
        answer = self.run_json("bake", path, "--scale", "0.5", "--resolution", "0.5")
        self.assertEqual(answer["low"], [0.5, 1, 1.5])
        self.assertAlmostEqual(answer["mesh_volume"], 1, places=6)

    def test_margin(self):
        path = self.file("box.obj", box_obj())
        self.assertEqual(self.run_json("bake", path, "--margin", "3")["low"], [-3, -3, -3])
        answer = self.run_json("query", path, "--margin", "3", "--from", "-2,0.5,0.5", "--to", "3,0.5,0.5")
        self.assertEqual(answer["status"], "path")


class GltfData(CliTest):
    """The ways in which glTF can store the same box."""
    LOW, HIGH = (1, 2, 3), (3, 5, 4)

    def check(self, document, name="box.gltf", **files):
        for file, data in files.items():
            self.file(file, data)
        answer = self.run_json("bake", self.file(name, json.dumps(document)))
        self.assertEqual((answer["low"], answer["triangles"], answer["warnings"]), (list(self.LOW), 12, []))
        self.assertAlmostEqual(answer["mesh_volume"], 6, places=5)

    def stored(self, data, **accessor):
        """The box with other bytes for its positions, a file beside it, and a node that undoes their scale."""
        document, original = gltf_parts(self.LOW, self.HIGH, [{"mesh": 0}])
        indices = original[-72:]
        document["accessors"][0] = dict({"bufferView": 0, "count": 8, "type": "VEC3"}, **accessor)
        document["bufferViews"] = [{"buffer": 0, "byteLength": len(data)},
                                   {"buffer": 0, "byteOffset": len(data), "byteLength": 72}]
        document["buffers"] = [{"byteLength": len(data) + 72, "uri": "my%20data.bin"}]
        document["extensionsUsed"] = document["extensionsRequired"] = ["KHR_mesh_quantization"]
        return document, {"my data.bin": data + indices}

    def test_quantised(self):
        for code, letter, most in ((5120, "b", 127), (5121, "B", 255), (5122, "h", 32767), (5123, "H", 65535)):
            for normalized in (False, True):
                size = struct.calcsize(letter) * 4  # padded to four numbers, as exporters do
                unit = most // 5
                data = b"".join(struct.pack("<4" + letter, *(unit * c for c in v), 0) for v in box_vertices(self.LOW, self.HIGH))
                document, files = self.stored(data, componentType=code, normalized=normalized)
                document["bufferViews"][0]["byteStride"] = size
                document["nodes"][0]["scale"] = [(most if normalized else 1) / unit] * 3
                with self.subTest(type=letter, normalized=normalized):
                    self.run_quantised(document, files)

    def run_quantised(self, document, files):
        for file, data in files.items():
            self.file(file, data)
        answer = self.run_json("bake", self.file("box.gltf", json.dumps(document)))
        for got, low in zip(answer["low"], self.LOW):
            self.assertAlmostEqual(got, low, places=5)
        self.assertAlmostEqual(answer["mesh_volume"], 6, places=4)
        self.assertEqual((answer["triangles"], answer["warnings"]), (12, []))

    def test_sparse(self):
        corners = box_vertices(self.LOW, self.HIGH)
        document, files = self.stored(b"".join(struct.pack("<3f", *v) for v in [(9, 9, 9)] * 2 + corners[2:]), componentType=5126)
        more = struct.pack("<2H6f", 0, 1, *corners[0], *corners[1])
        document["buffers"].append({"byteLength": len(more), "uri": "data:application/gltf-buffer;base64," + base64.b64encode(more).decode()})
        document["bufferViews"].append({"buffer": 1, "byteLength": len(more)})
        document["accessors"][0]["sparse"] = {"count": 2, "indices": {"bufferView": 2, "componentType": 5123},
                                              "values": {"bufferView": 2, "byteOffset": 4}}
        self.check(document, **files)

    def test_strips_and_fans(self):
        """A square of four corners, as two triangles, a strip, a fan, and without indices."""
        points = [(0, 0, 0), (2, 0, 0), (0, 2, 0), (2, 2, 0)]
        data = b"".join(struct.pack("<3f", *v) for v in points) + bytes([0, 1, 2, 3, 0, 1, 3, 2, 0, 1, 2, 1, 3, 2])
        for mode, offset, count in ((5, 0, 4), (6, 4, 4), (4, 8, 6), (5, None, 0)):
            primitive = {"attributes": {"POSITION": 0}, "mode": mode}
            if offset is not None:
                primitive["indices"] = 1
            document = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                        "meshes": [{"primitives": [primitive]}],
                        "buffers": [{"byteLength": len(data), "uri": "square.bin"}],
                        "bufferViews": [{"buffer": 0, "byteLength": 48},
                                        {"buffer": 0, "byteOffset": 48 + (offset or 0), "byteLength": count or 1}],
                        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                                      {"bufferView": 1, "componentType": 5121, "count": count or 1, "type": "SCALAR"}]}
            self.file("square.bin", data)
            answer = self.run_json("bake", self.file("square.gltf", json.dumps(document)), "--resolution", "0.5")
            self.assertEqual((answer["triangles"], answer["dims"][:2]), (2, [4, 4]))

    def test_required_extensions_are_named(self):
        document, data = gltf_parts(self.LOW, self.HIGH, [{"mesh": 0}])
        document["buffers"][0]["uri"] = "box.bin"
        for name in ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "VENDOR_something"):
            document["extensionsRequired"] = ["KHR_materials_unlit", name]
            self.file("box.bin", data)
            self.refused("bake", self.file("box.gltf", json.dumps(document)), says=["box.gltf", name, "export it without"])
        document["extensionsRequired"].pop()
        self.check(document, **{"box.bin": data})


class Filling(CliTest):
    def test_volume_converges(self):
        path = self.file("box.obj", box_obj((0.1, 0.1, 0.1), (3.3, 3.3, 3.3)))
        errors = []
        for resolution in (0.4, 0.2, 0.1):
            answer = self.run_json("bake", path, "--solid", "--resolution", resolution, "--margin", "1")
            errors.append(abs(answer["volume"] - answer["mesh_volume"]))
        self.assertGreater(errors[0], errors[1])
        self.assertGreater(errors[1], errors[2])

    def test_inside_of_a_solid_is_blocked(self):
        path = self.file("box.obj", box_obj((0, 0, 0), (6, 6, 6)))
        ends = ("--margin", "2", "--from", "3.5,3.5,3.5", "--to", "-1,-1,-1")
        self.assertEqual(self.run_json("query", path, *ends, expect=1)["status"], "no-path")
        self.assertEqual(self.run_json("query", path, *ends, "--solid", expect=1)["status"], "start-blocked")

    def test_open_mesh_is_not_filled_but_said(self):
        path = self.file("sheet.obj", obj([(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4)], [(1, 2, 3, 4)]))
        done = self.run_tool("bake", path, "--solid", "--margin", "2")
        self.assertIn("warning", done.stderr)
        self.assertIn("sheet.obj", done.stderr)
        self.assertEqual(self.run_tool("bake", path, "--solid", "--margin", "2", "--quiet").stderr, "")

    def test_inside_out_is_said(self):
        flipped = obj(box_vertices((0, 0, 0), (2, 2, 2)), [tuple(reversed(f)) for f in CUBE_FACES])
        answer = self.run_json("bake", self.file("flipped.obj", flipped))
        self.assertIn("inside out", answer["warnings"][0])
        self.assertAlmostEqual(answer["mesh_volume"], -8, places=5)

    def test_hull(self):
        # A chair-like L: its hull is larger than itself.
        text = box_obj((0, 0, 0), (4, 1, 4)) + box_obj((0, 0, 0), (1, 4, 4)).replace("f ", "#f ")
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        second = ["f " + " ".join(str(i + 8) for i in f) for f in CUBE_FACES]
        path = self.file("chair.obj", "\n".join(lines + second) + "\n")
        answer = self.run_json("bake", path, "--hull")
        self.assertAlmostEqual(answer["mesh_volume"], 4 * (16 - 4.5), places=4)
        sheet = self.file("sheet.obj", obj([(0, 0, 0), (4, 0, 0), (4, 0, 4), (0, 0, 4)], [(1, 2, 3, 4)]))
        self.refused("bake", sheet, "--hull", says=["sheet.obj", "plane"])


class BrokenMeshes(CliTest):
    def test_missing_empty_unknown(self):
        self.refused("bake", "nowhere.obj", says=["nowhere.obj", "No such file"])
        self.refused("bake", self.file("void.obj", ""), says=["void.obj", "empty"])
        self.refused("bake", self.file("x.xyzzy", "v 1 2 3\n"), says=["x.xyzzy", ".obj"])
        self.refused("bake", self.file("noending", "v 1 2 3\n"), says=["noending"])
        (self.dir / "folder.obj").mkdir()
        self.refused("bake", "folder.obj", says=["folder.obj"])

    def test_no_triangles(self):
        self.refused("bake", self.file("points.obj", "v 1 2 3\nv 1 2 4\n"), says=["points.obj"])
        self.refused("bake", self.file("none.ply", ply((0, 0, 0), (1, 1, 1)).split("element face")[0]),
                     says=["none.ply"])

    def bad_obj(self, old, new, *says):
        text = box_obj()
        self.assertIn(old, text)
        self.refused("bake", self.file("bad.obj", text.replace(old, new)), says=says)

    def test_not_finite(self):
        for word in ("nan", "inf", "1e39", "-nan(ind)", "x", "1,5"):
            self.bad_obj("v 1 1 1", "v 1 %s 1" % word, "bad.obj:8:", word)
            text = ascii_stl((0, 0, 0), (1, 1, 1)).replace("vertex 1 0 0", "vertex 1 %s 0" % word, 1)
            self.refused("bake", self.file("bad.stl", text), says=["bad.stl:", word])
        for nodes in ([{"mesh": 0, "scale": [1e30, 1, 1]}], [{"mesh": 0, "translation": [0, 2e6, 0]}]):
            self.refused("bake", self.file("bad.glb", glb((0, 0, 0), (1, 1, 1), nodes)), says=["bad.glb"])

    def test_index_out_of_range(self):
        for word in ("9", "-9", "0", "99999999999999999999"):
            self.bad_obj("f 2 4 8 6", "f 2 4 %s 6" % word, "bad.obj:14:", "no vertex " + word)
        self.bad_obj("f 2 4 8 6", "f 2 4/1/1 9//1 6", "bad.obj:14:", "no vertex 9")

    def test_lines_that_make_no_sense(self):
        self.bad_obj("v 1 1 1", "v 1 1", "bad.obj:8:")
        self.bad_obj("v 1 1 1", "v 1 1 1 1 1", "bad.obj:8:")
        self.bad_obj("f 1 3 4 2", "f 1 3", "bad.obj:9:", "three")
        self.bad_obj("f 1 3 4 2", "f 1 3 a 2", "bad.obj:9:", "'a'")
        self.bad_obj("f 1 3 4 2", "  f 1 3 4 2", "bad.obj:9:", "blanks")  # assimp would drop the face in silence
        self.bad_obj("f 1 3 4 2", "f 1 3 \\\n4 9", "bad.obj:9:", "no vertex 9")
        self.bad_obj("f 1 3 4 2", "f 1\0 3 4 2", "bad.obj:9:", "text")
        facet = "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
        self.refused("bake", self.file("bad.stl", "solid s\n" + facet + "endsolid s\n"), says=["bad.stl:7:"])

    def test_all_ways_to_write_an_obj(self):
        text = box_obj()
        lines = text.splitlines()
        from_the_end = [line if line[0] == "v" else "f " + " ".join(str(int(i) - 9) for i in line.split()[1:])
                        for line in lines]
        for other in (text.replace("\n", "\r\n"), text.replace("\n", "\r"), text.replace(" ", "\t"),
                      text.replace("f 1 3 4 2", "f 1 3 \\\n4 2"), "\n".join(lines[8:] + lines[:8]) + "\n",
                      "\n".join(from_the_end) + "\n", text.replace("v 1 1 1", "v 1 1 1 1"),
                      text.replace("v 1 1 1", "v 1 1 1 0.5 0.5 0.5"), "# c:\\x\no box\n" + text + "l 1 2\np 1\n"):
            answer = self.run_json("bake", self.file("box.obj", other))
            self.assertEqual((answer["triangles"], answer["warnings"]), (12, []), other)

    def test_obj_without_an_end_is_accepted_and_said(self):
        # Nothing marks the end of an OBJ file; a last line without its end is all that can be seen.
        answer = self.run_json("bake", self.file("cut.obj", box_obj()[:-1]))
        self.assertIn("cut.obj:14:", answer["warnings"][0])
        for size in range(1, len(box_obj()) - 1):
            done = subprocess.run([TOOL, "bake", self.file("cut.obj", box_obj()[:size])], capture_output=True, text=True)
            self.assertIn(done.returncode, (0, 2))
            self.assertIn("cut.obj", done.stderr + done.stdout)

    def test_index_out_of_range_ply(self):
        self.refused("bake", self.file("bad.ply", ply((0, 0, 0), (1, 1, 1)).replace("4 1 3 7 5", "4 1 3 9 5")),
                     says=["bad.ply"])

    def test_truncated(self):
        whole = binary_stl((0, 0, 0), (1, 1, 1))
        self.refused("bake", self.file("cut.stl", whole[:300]), says=["cut.stl"])
        text = ply((0, 0, 0), (1, 1, 1))
        for cut in range(4, len(text) - 2, 9):
            self.refused("bake", self.file("cut.ply", text[:cut]), says=["cut.ply"])
        self.refused("bake", self.file("cut.ply", text[:text.index("4 0 2")]), says=["cut.ply:18:"])
        text = ascii_stl((0, 0, 0), (1, 1, 1))
        self.refused("bake", self.file("cut.stl", text[:len(text) // 2]), says=["cut.stl"])
        text = gltf((0, 0, 0), (1, 1, 1), [{"mesh": 0}])
        self.refused("bake", self.file("cut.gltf", text[:len(text) // 2]), says=["cut.gltf"])
        self.refused("bake", self.file("cut.glb", b"glTF\2\0\0\0\xff\0\0\0"), says=["cut.glb"])
        for name, whole in (("cut.glb", glb((0, 0, 0), (1, 1, 1), [{"mesh": 0}])), ("cut.fbx", fbx((0, 0, 0), (1, 1, 1)))):
            for size in range(1, len(whole) - 80, 37):
                self.refused("bake", self.file(name, whole[:size]), says=[name])

    def test_pipe(self):
        os.mkfifo(self.dir / "pipe.obj")
        self.refused("bake", "pipe.obj", says=["pipe.obj", "pipe"])

    def test_garbage(self):
        for ending in ("stl", "ply", "gltf", "glb", "fbx"):
            self.refused("bake", self.file("junk." + ending, bytes(range(200)) * 3), says=["junk." + ending])

    def test_coordinates_too_large(self):
        self.refused("bake", self.file("far.obj", box_obj((2e6, 0, 0), (3e6, 1, 1))), says=["far.obj"])


if __name__ == "__main__":
    unittest.main()
